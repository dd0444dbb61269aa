// The page inside the single-file `hap`, whose build puts it there as assets (scripts/artefacts/build-binary.mjs).

/** Reads the page from this executable; undefined where Node runs the program from files. */
export function embeddedPage(): ((file: string) => Promise<Uint8Array<ArrayBuffer> | null>) | undefined {
  const sea = process.getBuiltinModule("node:sea");
  if (!sea.isSea()) return undefined;
  return async (file) => {
    try {
      return new Uint8Array(sea.getRawAsset(`page/${file}`));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ERR_SINGLE_EXECUTABLE_APPLICATION_ASSET_NOT_FOUND") return null;
      throw error;
    }
  };
}
