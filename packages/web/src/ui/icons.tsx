// The few pictures of the page, drawn with one pen.
const drawings = {
  inbox: "M3 12.5 5.2 5h9.6l2.2 7.5M3 12.5V16h14v-3.5M3 12.5h4l1 2h4l1-2h4",
  talk: "M3.5 4.5h13v9h-7l-3.5 3v-3h-2.5z",
  chart: "M4 16V9m4 7V4m4 12v-6m4 6V7",
  gear: "M10 12.8a2.8 2.8 0 1 0 0-5.6 2.8 2.8 0 0 0 0 5.6Zm0-10v2m0 10.400v2m7.200-7.200h-2m-10.400 0h-2m12.300-5.100-1.400 1.400m-7.400 7.400-1.400 1.400m0-10.200 1.400 1.400m7.400 7.400 1.400 1.400",
  check: "m4.500 10.500 3.500 3.500 7.500-8",
  cross: "m5 5 10 10M15 5 5 15",
  pencil: "m4 16 .8-3.200L13.500 4.100l2.400 2.400-8.700 8.700z",
  clock: "M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14Zm0-10.500V10l2.500 2",
  pause: "M7.500 5v10m5-10v10",
  back: "M12 4.500 6.500 10l5.500 5.500",
  up: "m5 12.500 5-5 5 5",
  down: "m5 7.500 5 5 5-5",
  search: "M9 14.500a5.500 5.500 0 1 0 0-11 5.500 5.500 0 0 0 0 11Zm4-1.500 4 4",
  shield: "M10 3 4 5.200v4.300c0 3.700 2.500 6.200 6 7.500 3.500-1.300 6-3.800 6-7.500V5.200z",
  key: "M7 13a3 3 0 1 0 0-6 3 3 0 0 0 0 6Zm3-3h7m-2.500 0v2.500",
  filter: "M3.500 5.500h13m-10.500 4.500h8m-5.500 4.500h3",
  warning: "M10 3.500 2.800 16h14.400zM10 8v4m0 2v.1",
  moon: "M15.500 12A6.500 6.500 0 0 1 8 4.500a6.500 6.500 0 1 0 7.500 7.500Z",
  clip: "m13.500 8-5 5a1.800 1.800 0 0 1-2.500-2.500l5.700-5.700a3 3 0 0 1 4.300 4.200l-6 6a4.300 4.300 0 0 1-6-6L9 4",
  eye: "M2.500 10S5.500 5 10 5s7.500 5 7.500 5-3 5-7.500 5-7.500-5-7.500-5Zm7.500 2a2 2 0 1 0 0-4 2 2 0 0 0 0 4Z",
  more: "M5 10h.1m4.900 0h.1m4.900 0h.1",
  dot: "M10 12.500a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5Z",
  comment: "M4 5h12v8H9l-3 3v-3H4z",
  phone: "M6.500 2.500h7v15h-7zM9 15h2",
} as const;

export type IconName = keyof typeof drawings;

/** A picture beside words; it says nothing by itself. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 20 20" aria-hidden="true" focusable="false">
      <path d={drawings[name]} />
    </svg>
  );
}
