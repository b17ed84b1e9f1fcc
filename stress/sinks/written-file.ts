import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock as clock, delay } from '../../src/kit/clock.js'
import type { Random } from '../random.js'
import { type Arrival, arrivalOf } from './arrivals.js'

/** The file of the sink, in the folder `files` of the home. */
export const WRITTEN = 'events.ndjson'

/** What a sink of the kind file writes, and what happens to it. */
export class WrittenFile {
  readonly #folder: string
  /** Where files go that somebody moves away, each time with a higher number. */
  readonly #moved: string
  #moves = 0

  constructor(home: string) {
    this.#folder = join(home, 'files')
    this.#moved = join(home, 'moved')
    mkdirSync(this.#moved)
  }

  /** The folder is a file for a while, or the files are moved away, as log rotation does it. Returns what it was. */
  async fault(random: Random): Promise<string> {
    if (random.chance(0.5)) {
      const to = join(this.#moved, String(this.#moves++).padStart(4, '0'))
      mkdirSync(to)
      for (const name of writtenIn(this.#folder)) renameSync(join(this.#folder, name), join(to, name))
      return 'file moved away'
    }
    renameSync(this.#folder, `${this.#folder}.away`)
    writeFileSync(this.#folder, '')
    await delay(clock, 500 + random.below(1500))
    rmSync(this.#folder)
    renameSync(`${this.#folder}.away`, this.#folder)
    return 'folder of the file away'
  }

  /** The lines of all files, oldest first. */
  arrivals(): Arrival[] {
    const folders = readdirSync(this.#moved)
      .sort()
      .map((name) => join(this.#moved, name))
    return [...folders, this.#folder].flatMap((folder) =>
      writtenIn(folder).flatMap((name) =>
        readFileSync(join(folder, name), 'utf8')
          .split('\n')
          .filter((line) => line !== '')
          .map(arrivalOf),
      ),
    )
  }
}

const rotation = (name: string): number => Number(name.slice(WRITTEN.length + 1) || 0)

/** Oldest first: the one with the highest number. */
const writtenIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.startsWith(WRITTEN))
    .sort((one, other) => rotation(other) - rotation(one))
