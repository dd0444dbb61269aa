// One matter of the settings, under its own heading.
import type { ComponentChildren } from "preact";

export function Card({ title, about, children }: { title: string; about?: string; children: ComponentChildren }) {
  const id = `card-${title.toLowerCase().replaceAll(/[^a-z]+/g, "-")}`;
  return (
    <section class="card" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {about !== undefined && <p class="quiet-words">{about}</p>}
      {children}
    </section>
  );
}
