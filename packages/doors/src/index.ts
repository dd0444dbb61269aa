// What the doors offer to other programs: the codec of human.question envelopes. Each door is a package of its own beside this.
export * from "@hap/door-envelope";
