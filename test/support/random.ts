/** Evenly spread whole numbers from 0 to below `bound`, the same for the same seed. */
export type Random = (bound: number) => number

/** The seed of this run: given as SEED to see again what failed. */
export const SEED = Number(process.env['SEED'] ?? Math.floor(Math.random() * 2 ** 32))

/** Fast enough for a million draws in a test, which fast-check is not. (The generator is known as mulberry32.) */
export function seededRandom(seed: number): Random {
  let state = seed
  return (bound) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * bound)
  }
}

/** Runs `check`; what it throws says how to see it again. */
export function withSeed(seed: number, check: (random: Random) => void): void {
  try {
    check(seededRandom(seed))
  } catch (error) {
    throw new Error(`again with SEED=${seed}`, { cause: error })
  }
}
