// The draft's path of the command line (section 14.1); the program is `hap`.
await import(new URL("../bin/hap.mjs", import.meta.url).href);

export {};
