import { type NextOperation, Problem } from '../../contract/errors.js'
import { listed } from '../../kit/text/listed.js'
import type { EquipmentKnowledge, NamedKind, Namelist } from '../knowledge/equipment-knowledge.js'
import type { Asking, AskOptions } from './asking.js'
import { passOverRefusal } from './unknown-message.js'

/** The knowledge of each equipment. */
export interface Knowledge {
  of(equipmentId: string): EquipmentKnowledge
}

type AskedByName = Exclude<Namelist, 'S5F5'>

/** The namelists of each kind, the most likely one first. */
const LISTS: Readonly<Record<NamedKind, readonly AskedByName[]>> = {
  variables: ['S1F11', 'S1F21'],
  constants: ['S2F29'],
  events: ['S1F23'],
}

const WORDS: Readonly<Record<NamedKind, readonly [what: string, lists: NextOperation]>> = {
  variables: ['variable', 'listVariables'],
  constants: ['constant', 'listConstants'],
  events: ['collection event', 'listCollectionEvents'],
}

/** The most identifiers of one name that an error lists. */
const MAX_LISTED = 10

const isNumber = (given: string): boolean => /^[0-9]+$/.test(given)

/** Resolves names of variables, constants and events to identifiers; asks the equipment for its namelists where needed. */
export class Naming {
  constructor(
    private readonly asking: Asking,
    private readonly knowledge: Knowledge,
  ) {}

  of(equipmentId: string): EquipmentKnowledge {
    return this.knowledge.of(equipmentId)
  }

  /**
   * The identifiers for identifiers or names; for an unknown name the equipment is asked. Throws `name_not_found` for a
   * name that the equipment does not have, `invalid_message` for an ambiguous one; `where` is its place in the request.
   * Where the equipment refuses the list, its refusal is thrown: whether it has the name is not known.
   */
  async idsOf(
    equipmentId: string,
    kind: NamedKind,
    given: readonly string[],
    { where, ...options }: AskOptions & { readonly where?: (at: number) => string } = {},
  ): Promise<string[]> {
    const refusal = await this.learn(equipmentId, kind, given, options)
    return given.map((one, at) => {
      const id = this.#idOf(equipmentId, kind, one)
      if (id !== undefined) return id
      const [what, operation] = WORDS[kind]
      const several = this.of(equipmentId).idsOf(kind, one)
      if (several.length === 0 && refusal) throw refusal
      const found =
        several.length > 0
          ? `several of the name ${one}: ${listed(several, MAX_LISTED)}`
          : `no ${what} named ${one}`
      const detail = `${this.asking.nameOf(equipmentId)} has ${found}`
      throw new Problem(several.length > 0 ? 'invalid_message' : 'name_not_found', `${detail}.`, {
        errors: [{ pointer: where?.(at) ?? `id/${at}`, detail }],
        next: [{ operation, parameters: { id: equipmentId } }],
      })
    })
  }

  /** Asks the equipment for its names as long as one of `given` is not known. Returns the refusal of the list that is the most likely to have it. */
  async learn(
    equipmentId: string,
    kind: NamedKind,
    given: readonly string[],
    options: AskOptions,
  ): Promise<Problem | undefined> {
    let refusal: Problem | undefined
    for (const list of LISTS[kind]) {
      if (given.every((one) => this.#idOf(equipmentId, kind, one) !== undefined)) return undefined
      if (this.of(equipmentId).hasWhole(list)) continue
      // The recorded reply updates the knowledge. Equipment may not have the list.
      await this.asking.ask(equipmentId, list, {}, options).catch((error: unknown) => {
        if (error instanceof Problem && error.code === 'tapped_read_only')
          throw this.#mayNotAsk(equipmentId, kind, list, given)
        passOverRefusal(error)
        if (list === LISTS[kind][0] && error instanceof Problem) refusal = error
      })
    }
    return refusal
  }

  /** Beside the host of tapped equipment, the names are those that its host has asked for. */
  #mayNotAsk(equipmentId: string, kind: NamedKind, list: AskedByName, given: readonly string[]): Problem {
    const [what] = WORDS[kind]
    const name = this.asking.nameOf(equipmentId)
    const unknown = given.find((one) => this.#idOf(equipmentId, kind, one) === undefined) ?? ''
    return new Problem(
      'tapped_read_only',
      `No ${what} named ${unknown} is known: ${name} is shared with its host, whose ${list} for all names has not passed since the tap. Give the id, or allow the gateway to ask for names: tap.reads all (--tap-reads all).`,
    )
  }

  #idOf(equipmentId: string, kind: NamedKind, given: string): string | undefined {
    const known = this.of(equipmentId)
    if (isNumber(given) || known[kind].has(given)) return given
    return known.idOf(kind, given)
  }
}
