import type { Message } from '../../contract/topics/messages.js'
import { Failure } from '../errors/failure.js'
import { messageSml } from '../messages/message-output.js'
import { paint } from '../output/highlight.js'
import { visible, visibleLines } from '../output/visible-text.js'

const indented = (text: string, indent: string): string =>
  visibleLines(text)
    .split('\n')
    .map((line) => `${indent}${line}`.trimEnd())
    .join('\n')

/** Prints each step, and checks its result. */
export class DemoReport {
  #steps = 0
  #checks = 0

  constructor(readonly write: (text: string) => void) {}

  /** The number of checks so far. */
  get checks(): number {
    return this.#checks
  }

  step(title: string, command?: string): void {
    this.#steps++
    this.write(`\n${paint.bold(`${this.#steps}. ${title}`)}\n`)
    if (command !== undefined) this.write(`${paint.dim('   $')} ${paint.cyan(command)}\n`)
  }

  say(text: string): void {
    this.write(`${indented(text, '   ')}\n`)
  }

  /** A message as it was on the wire, and its direction. */
  wire(message: Message): void {
    const { direction, name } = message
    const way = direction === 'sent' ? 'gateway -> equipment' : 'gateway <- equipment'
    this.write(`   ${paint.dim(`${way}   ${visible(name)}`)}\n${indented(messageSml(message), '     ')}\n`)
  }

  /** A condition that has to hold for the step to have happened. */
  check(happened: boolean, what: string): void {
    if (!happened) throw new Failure('unexpected', `step ${this.#steps}: ${what}: this did not happen`)
    this.#checks++
    this.write(`   ${paint.green('ok')}  ${visible(what)}\n`)
  }
}
