// What the loop takes from the providers.
export { allProviders, findProvider, providerNames } from "./all-providers.ts";
export { createProvider } from "./create-provider.ts";
export { costOf, parsePrices } from "./prices.ts";
