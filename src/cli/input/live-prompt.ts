import { clearScreenDown, createInterface, cursorTo, type Interface } from 'node:readline'
import type { Environment } from '../environment.js'

export interface LivePromptWorld {
  /** Runs a line and prints the result. */
  run(line: string): Promise<void>
  /** Whole lines that the one that is typed may become. */
  complete(line: string): readonly string[]
  /** Ctrl-C, Ctrl-D and `END_WORDS`. */
  end(): void
}

/** What ends it as Ctrl-C does. */
export const END_WORDS: readonly string[] = ['exit', 'quit']

/** A line at the bottom of the terminal where commands are typed, while what else is printed goes by above it. */
export class LivePrompt {
  readonly #lines: Interface
  #over = false

  constructor(
    readonly environment: Pick<Environment, 'stdin' | 'stderr'>,
    prompt: string,
    world: LivePromptWorld,
  ) {
    this.#lines = createInterface({
      input: environment.stdin,
      output: environment.stderr,
      prompt,
      completer: (line: string) => [[...world.complete(line)], line],
      historySize: 1000,
    })
    this.#lines.on('line', (line) => {
      if (line.trim() === '') this.#lines.prompt()
      else if (END_WORDS.includes(line.trim())) world.end()
      else void world.run(line)
    })
    this.#lines.on('SIGINT', () => world.end())
    this.#lines.on('close', () => {
      if (!this.#over) world.end()
    })
    this.#lines.prompt()
  }

  /** Prints above the line that is typed. */
  above(print: () => void): void {
    if (this.#over) return print()
    cursorTo(this.environment.stderr, 0)
    clearScreenDown(this.environment.stderr)
    print()
    this.#lines.prompt(true)
  }

  close(): void {
    this.#over = true
    cursorTo(this.environment.stderr, 0)
    clearScreenDown(this.environment.stderr)
    this.#lines.close()
  }
}
