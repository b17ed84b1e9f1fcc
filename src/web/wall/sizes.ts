/** Sizes of tiles in rem, the largest first. `l` and `m` show everything, `s` no chart, `xs` name, state and alarms. */
export const SIZES = {
  l: { width: 15, height: 8.2 },
  m: { width: 11.6, height: 7.2 },
  s: { width: 8.8, height: 5.6 },
  xs: { width: 6.2, height: 2.75 },
} as const
export type Size = keyof typeof SIZES

export const isSize = (text: string | null): text is Size => text !== null && Object.hasOwn(SIZES, text)
