// What the loop takes from the providers.
export { createProvider, providerNames } from "./create-provider.ts";
export { costOf, parsePrices } from "./prices.ts";
