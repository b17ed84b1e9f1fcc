import { A, F4, type Item, L, U4 } from '../src/secs2/item.js'

export type ExchangeName = 'S1F1' | 'S6F11'

/** A primary with W-bit and its reply. */
export interface Exchange {
  readonly stream: number
  readonly function: number
  /** What both frames have on the wire, length bytes included. */
  readonly bytes: { readonly primary: number; readonly secondary: number }
}

export const EXCHANGES: Readonly<Record<ExchangeName, Exchange>> = {
  S1F1: { stream: 1, function: 1, bytes: { primary: 14, secondary: 32 } },
  S6F11: { stream: 6, function: 11, bytes: { primary: 190, secondary: 17 } },
}

export const MODEL = 'ETCHER'
export const SOFTWARE = '4.7.11'

/** The values that an event report carries: 20 of three formats. */
export const REALS = Array.from({ length: 10 }, (_, at) => 20.5 + at)
export const COUNTS = Array.from({ length: 5 }, (_, at) => 1000 * at)
export const TEXTS = Array.from({ length: 5 }, (_, at) => `LOT-00${at}.A7`)

export const eventReport = (): Item =>
  L(
    U4(1),
    U4(4711),
    L(
      L(
        U4(10),
        L(
          ...REALS.map((value) => F4(value)),
          ...COUNTS.map((value) => U4(value)),
          ...TEXTS.map((text) => A(text)),
        ),
      ),
    ),
  )

/** One side's way to do exchanges over one connection. */
export interface Requester {
  /** Keeps `depth` primaries open for so many milliseconds; gives how many were replied to in a second. */
  rate(exchange: ExchangeName, depth: number, milliseconds: number): Promise<number>
  close(): Promise<void>
}

/** The rate of something that can be asked for with a promise. */
export async function rateOf(
  ask: () => Promise<unknown>,
  depth: number,
  milliseconds: number,
): Promise<number> {
  const start = performance.now()
  const end = start + milliseconds
  let done = 0
  const lane = async (): Promise<void> => {
    while (performance.now() < end) {
      await ask()
      done += 1
    }
  }
  await Promise.all(Array.from({ length: depth }, lane))
  return (done / (performance.now() - start)) * 1000
}
