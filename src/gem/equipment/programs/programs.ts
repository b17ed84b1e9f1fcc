import { Signal } from '../../../kit/signal.js'
import { encodeBody } from '../../../secs2/encode.js'
import { A, type Item, L, type ListItem } from '../../../secs2/item.js'
import { fromTypedJson } from '../../../secs2/json.js'
import { idValue } from '../../content.js'
import type { ProcessProgram, ProgramModel } from '../equipment-model.js'

/** PPGNT and ACKC7 (SEMI E5). */
export const PPGNT = { granted: 0, noSpace: 2, invalidName: 3, busy: 4, notAccepted: 5 } as const
export const ACKC7 = {
  accepted: 0,
  notPermitted: 1,
  lengthError: 2,
  noSuchProgram: 4,
  modeNotSupported: 5,
  full: 7,
} as const

const DEFAULT_CAPACITY = 100
const DEFAULT_MAX_BYTES = 1_000_000
const MAX_ID_LENGTH = 120

/** A formatted process program. */
export interface FormattedProgram {
  readonly mdln: Item
  readonly softrev: Item
  /** The list of its commands, as S7F23 and S7F26 carry it. */
  readonly commands: ListItem
}

/** A stored process program, in the items in which it came. */
export interface StoredProgram {
  /** PPID. */
  readonly id: Item
  readonly body?: Item
  readonly formatted?: FormattedProgram
}

/** An equipment's process programs (SEMI E30). Bounded in number and length. */
export class Programs {
  readonly changed = new Signal<void>()
  /** Programs of the model become items when they are read: a thousand equipments may share the model. */
  readonly #stored = new Map<string, () => StoredProgram>()
  readonly #locked: ReadonlySet<string>
  readonly #capacity: number
  readonly #longest: number

  /** `mdln` and `softrev` are sent with formatted programs. */
  constructor(
    readonly model: ProgramModel,
    mdln: string,
    softrev: string,
  ) {
    this.#locked = new Set(model.locked)
    this.#capacity = model.capacity ?? DEFAULT_CAPACITY
    this.#longest = model.longest ?? DEFAULT_MAX_BYTES
    for (const program of model.stored) {
      this.#stored.set(program.id, () => storedProgram(program, mdln, softrev))
    }
  }

  /** Their PPIDs. */
  ids(): string[] {
    return [...this.#stored.keys()]
  }

  /** As `ids`, in the items that they came in. */
  idItems(): Item[] {
    return [...this.#stored.values()].map((program) => program().id)
  }

  find(id: string): StoredProgram | undefined {
    return this.#stored.get(id)?.()
  }

  /** S7F1: whether a program of so many bytes may be sent; PPGNT. */
  inquire(id: string, length: number): number {
    if (!isId(id)) return PPGNT.invalidName
    if (this.#locked.has(id)) return PPGNT.notAccepted
    return length > this.#longest || !this.#hasRoom(id) ? PPGNT.noSpace : PPGNT.granted
  }

  /** Stores a program instead of one with the same id, of either form; ACKC7. */
  store(id: string, program: StoredProgram): number {
    if (!isId(id) || this.#locked.has(id)) return ACKC7.notPermitted
    const item = program.body ?? program.formatted?.commands
    if (lengthIn(item) > this.#longest) return ACKC7.lengthError
    if (!this.#hasRoom(id)) return ACKC7.full
    this.#stored.set(id, () => program)
    this.changed.emit()
    return ACKC7.accepted
  }

  /** S7F17: all of them, or none when one cannot be deleted; no id means every one. ACKC7. */
  remove(ids: readonly string[]): number {
    const chosen = ids.length > 0 ? ids : this.ids()
    if (!chosen.every((id) => this.#stored.has(id))) return ACKC7.noSuchProgram
    if (chosen.some((id) => this.#locked.has(id))) return ACKC7.notPermitted
    for (const id of chosen) this.#stored.delete(id)
    this.changed.emit()
    return ACKC7.accepted
  }

  /** The PPIDs of those that a host may replace and delete. */
  changeable(): string[] {
    return this.ids().filter((id) => !this.#locked.has(id))
  }

  #hasRoom(id: string): boolean {
    return this.#stored.has(id) || this.#stored.size < this.#capacity
  }
}

const isId = (id: string): boolean => id !== '' && id.length <= MAX_ID_LENGTH

/** The bytes of an item without its header. */
export function lengthIn(item: Item | undefined): number {
  const bytes = encodeBody(item)
  return bytes.length === 0 ? 0 : bytes.length - 1 - ((bytes[0] ?? 0) & 0b11)
}

function storedProgram({ id, body, steps }: ProcessProgram, mdln: string, softrev: string): StoredProgram {
  return {
    id: A(id),
    ...(body && { body: fromTypedJson(body) }),
    ...(steps && {
      formatted: {
        mdln: A(mdln),
        softrev: A(softrev),
        commands: L(
          ...steps.map(({ command, parameters }) =>
            L(fromTypedJson(idValue(command)), L(...parameters.map((value) => fromTypedJson(value)))),
          ),
        ),
      },
    }),
  }
}
