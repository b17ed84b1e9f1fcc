import { namePattern } from '../../kit/text/name-pattern.js'
import type { Member } from '../fleet-member.js'
import { ControlDesk, type ControlReply } from './control-desk.js'

const usage = (error: string): ControlReply => ({ ok: false, error, code: 'usage' })

/** Carries out commands for the equipments of a fleet: the first word of a line is a name, or a pattern such as `etcher-*`. */
export class FleetDesk {
  readonly #desks: ReadonlyMap<string, ControlDesk>

  constructor(members: readonly Pick<Member, 'name' | 'simulator'>[]) {
    this.#desks = new Map(members.map(({ name, simulator }) => [name, new ControlDesk(simulator)]))
  }

  /** Carries a line out; never rejects for what the line says. Of several equipments it answers how many there were. */
  async run(line: string): Promise<ControlReply> {
    const [, target = '', command = ''] = /^\s*(\S*)\s*(.*)$/s.exec(line) ?? []
    const names = [...this.#desks.keys()]
    const pattern = namePattern(target)
    const chosen = names.filter((name) => pattern.test(name))
    if (target === 'help' && this.#desks.size > 0) return this.#runFor(names[0] ?? '', line.trim())
    if (chosen.length === 0) {
      return usage(
        `there is no equipment "${target}" in this fleet: ${names[0]} to ${names.at(-1)}, or a pattern such as '*'`,
      )
    }
    if (command === '') return usage('it is: EQUIPMENT COMMAND...; "help" lists the commands')
    if (chosen.length === 1) return this.#runFor(chosen[0] as string, command)
    const replies = await Promise.all(chosen.map((name) => this.#runFor(name, command)))
    const failed = replies.flatMap((reply, at) => (reply.ok ? [] : [{ name: chosen[at], ...reply }]))
    const [first] = failed
    if (!first) return { ok: true, equipments: chosen.length }
    const all = `${failed.length} of ${chosen.length} equipments refused`
    return { ok: false, error: `${first.name}: ${first.error}; ${all}`, code: first.code }
  }

  async #runFor(name: string, line: string): Promise<ControlReply> {
    return this.#desks.get(name)?.run(line) ?? usage(`there is no equipment "${name}"`)
  }
}
