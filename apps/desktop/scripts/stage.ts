// What the app carries besides its own program: the page, built, and the engine, which is our command with its Node.
import { copyFileSync, cpSync, existsSync, mkdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { build } from "vite";
import { Missing } from "./needs.ts";

const app = join(import.meta.dirname, "..");
const root = join(app, "../..");

/** Build the page into `dist/page` and put the engine into `dist/engine`. */
export async function stage(): Promise<void> {
  await build({ configFile: join(app, "ui/vite.config.ts") });
  const engine = join(app, "dist/engine");
  const command = join(root, "packages/cli/dist");
  if (!existsSync(join(command, "main.cjs")))
    throw new Missing("The bundled command is missing: run `npm run prepare`, then this again.");
  if (!process.version.startsWith("v24."))
    throw new Missing(
      `The engine runs on Node 24, and this is ${process.version}: start it with npm, which brings the right one.`,
    );
  mkdirSync(engine, { recursive: true });
  const hap = join(engine, "hap");
  rmSync(hap, { recursive: true, force: true });
  cpSync(command, hap, { recursive: true, filter: (path) => !path.endsWith(".new") });
  const node = join(engine, process.platform === "win32" ? "node.exe" : "node");
  const { size } = statSync(process.execPath);
  // A hundred megabytes are copied only when they are others.
  if (statSync(node, { throwIfNoEntry: false })?.size !== size) copyFileSync(process.execPath, node);
}
