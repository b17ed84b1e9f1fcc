import { Problem } from '../../contract/errors.js'
import { shellWord } from '../../kit/shell-word.js'
import type { EquipmentKnowledge, NamedKind, Namelist } from '../knowledge/equipment-knowledge.js'
import type { Asking, AskOptions } from './asking.js'

/** What is known of each equipment. */
export interface Knowledge {
  of(equipmentId: string): EquipmentKnowledge
}

type AskedByName = Exclude<Namelist, 'S5F5'>

/** Where the names of each kind are told, the likelier list first. */
const LISTS: Readonly<Record<NamedKind, readonly AskedByName[]>> = {
  variables: ['S1F11', 'S1F21'],
  constants: ['S2F29'],
  events: ['S1F23'],
}

const WORDS: Readonly<Record<NamedKind, readonly [what: string, path: string]>> = {
  variables: ['variable', 'variables'],
  constants: ['constant', 'constants'],
  events: ['collection event', 'collection-events'],
}

const isNumber = (given: string): boolean => /^[0-9]+$/.test(given)

/** Names of an equipment's variables, constants and events, and the identifiers that messages want. */
export class Naming {
  constructor(
    private readonly asking: Asking,
    private readonly knowledge: Knowledge,
  ) {}

  of(equipmentId: string): EquipmentKnowledge {
    return this.knowledge.of(equipmentId)
  }

  /**
   * The identifiers of what callers call by identifier or name; for a name that is not known the equipment is
   * asked. Throws `name_not_found` for one that is nothing there, `invalid_message` for one that several have; `where`
   * tells its place in the request.
   */
  async idsOf(
    equipmentId: string,
    kind: NamedKind,
    given: readonly string[],
    { where, ...options }: AskOptions & { readonly where?: (at: number) => string } = {},
  ): Promise<string[]> {
    await this.learn(equipmentId, kind, given, options)
    return given.map((one, at) => {
      const id = this.#idOf(equipmentId, kind, one)
      if (id !== undefined) return id
      const [what, path] = WORDS[kind]
      const equipment = this.asking.nameOf(equipmentId)
      const several = this.of(equipmentId).idsOf(kind, one)
      const found =
        several.length > 0 ? `several of the name ${one}, ${several.join(', ')}` : `no ${what} named ${one}`
      const detail = `${equipment} has ${found}. GET /equipment/${equipmentId}/${path} lists them (secsctl ${path} list ${shellWord(equipment)}).`
      const code = several.length > 0 ? 'invalid_message' : 'name_not_found'
      throw new Problem(code, detail, { errors: [{ pointer: where?.(at) ?? `id/${at}`, detail }] })
    })
  }

  /** Asks the equipment for its names as long as one of `given` is not known. */
  async learn(
    equipmentId: string,
    kind: NamedKind,
    given: readonly string[],
    options: AskOptions,
  ): Promise<void> {
    for (const list of LISTS[kind]) {
      if (given.every((one) => this.#idOf(equipmentId, kind, one) !== undefined)) return
      if (!this.of(equipmentId).wasTold(list)) await this.#tell(equipmentId, list, options)
    }
  }

  #idOf(equipmentId: string, kind: NamedKind, given: string): string | undefined {
    const known = this.of(equipmentId)
    if (isNumber(given) || known[kind].has(given)) return given
    return known.idOf(kind, given)
  }

  /** The answer teaches what is known. Equipment need not have the list. */
  async #tell(equipmentId: string, list: AskedByName, options: AskOptions): Promise<void> {
    try {
      await this.asking.ask(equipmentId, list, {}, options)
    } catch (error) {
      if (!(error instanceof Problem) || error.kind !== 'equipment' || error.code === 'connection_lost')
        throw error
    }
  }
}
