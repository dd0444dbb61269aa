// From a provider's name to something that can be asked.
import { ModelError, type ModelProvider } from "../model/types.ts";
import { allProviders, findProvider, providerNames } from "./all-providers.ts";
import type { ProviderOptions } from "./provider-kind.ts";
import { readSettings } from "./settings.ts";

/** The provider of that name. Throws a `ModelError` of kind `bad_request` when there is none, or when an option does not fit. */
export async function createProvider(options: ProviderOptions): Promise<ModelProvider> {
  const kind = findProvider(options.provider);
  if (kind === undefined)
    throw new ModelError("bad_request", `there is no provider ${options.provider}; there are ${providerNames.join(", ")}`);
  if (options.wire !== undefined && !kind.hasWires) {
    const those = allProviders.filter(({ hasWires }) => hasWires).map(({ name }) => name);
    throw new ModelError("bad_request", `the wire can be chosen for ${those.join(" and ")} only, not for ${kind.name}`);
  }
  return kind.create(options, readSettings(options.env, options.settings));
}
