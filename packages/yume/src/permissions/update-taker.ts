// Applies changes that came with a yes ("always allow") to the rules in force, and keeps those that name a settings file. They never
// take away what forbids: deny and ask rules go only if the session itself added them.
import type { Gate } from "./gate.ts";
import type { Destination, PermissionUpdate, RulesUpdate, SettingsDestination } from "./permission-update.ts";
import { ruleText } from "./permission-update.ts";
import { parseRule, type RulePlace } from "./rules.ts";

export type UpdateWorld = {
  /** Places whose allow rules count in this run. */
  allowFrom: ReadonlySet<RulePlace>;
  /** Whether the run was started so that it may switch to bypassPermissions. */
  mayBypass: boolean;
  /** Keep a change in a settings file; throws when that fails. */
  save: (update: PermissionUpdate, destination: SettingsDestination) => void;
  addFolder: (folder: string) => void;
  removeFolder: (folder: string) => void;
  log: (words: string) => void;
};

const IN_MEMORY: UpdateWorld = {
  allowFrom: new Set(["session"]),
  mayBypass: false,
  save: () => {},
  addFolder: () => {},
  removeFolder: () => {},
  log: () => {},
};

export class UpdateTaker {
  readonly #gate: Pick<Gate, "mode" | "rules">;
  readonly #world: UpdateWorld;

  constructor(gate: Pick<Gate, "mode" | "rules">, world: UpdateWorld = IN_MEMORY) {
    this.#gate = gate;
    this.#world = world;
  }

  /** One change. */
  take(update: PermissionUpdate): void {
    const { mayBypass, log } = this.#world;
    if (update.type === "setMode" && update.mode === "bypassPermissions" && !mayBypass) {
      log("bypassPermissions is not taken from an answer: start the run with --allow-dangerously-skip-permissions");
      return;
    }
    if (isLoosening(update) && update.destination !== "session") {
      log(`an answer cannot remove ${update.behavior} rules of ${update.destination}; edit the file`);
      return;
    }
    const place = this.#keep(update);
    switch (update.type) {
      case "setMode":
        this.#gate.mode = update.mode;
        break;
      case "addDirectories":
        if (this.#counts(place)) for (const folder of update.directories) this.#world.addFolder(folder);
        break;
      case "removeDirectories":
        for (const folder of update.directories) this.#world.removeFolder(folder);
        break;
      default:
        this.#changeRules(update, place);
    }
  }

  /** Where the change now belongs: what cannot be kept in its file lasts for the session. */
  #keep(update: PermissionUpdate): Destination {
    const { destination } = update;
    // The command line cannot be changed any more.
    if (destination === "session" || destination === "cliArg") return "session";
    try {
      this.#world.save(update, destination);
      return destination;
    } catch (error) {
      this.#world.log(`the permission is kept for this session only: ${(error as Error).message}`);
      return "session";
    }
  }

  /** A file that this run does not read gives it no permission, as in Claude Code. */
  #counts(place: Destination): boolean {
    return this.#world.allowFrom.has(place);
  }

  #changeRules({ type, rules, behavior }: RulesUpdate, place: Destination): void {
    const texts = rules.map(ruleText);
    const known = this.#gate.rules[behavior];
    const others = known.filter((rule) => rule.place !== place || (type !== "replaceRules" && !texts.includes(rule.text)));
    const added = type === "removeRules" || (behavior === "allow" && !this.#counts(place)) ? [] : texts;
    this.#gate.rules[behavior] = [...others, ...added.map((text) => parseRule(text, place)).filter((rule) => rule !== null)];
  }
}

/** Takes away rules that forbid or ask. */
function isLoosening(update: PermissionUpdate): update is RulesUpdate {
  return (update.type === "removeRules" || update.type === "replaceRules") && update.behavior !== "allow";
}
