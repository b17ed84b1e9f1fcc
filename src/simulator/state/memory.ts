import { DecodeUnsafe, EncodeUnsafe, Value } from 'typebox/value'
import type { Equipment } from '../../gem/equipment/equipment.js'
import { onRetainedChange, restore, retained } from '../../gem/equipment/retained.js'
import { Retained } from '../../gem/equipment/retained-state.js'
import type { Clock } from '../../kit/clock.js'
import { Signal } from '../../kit/signal.js'
import { Secs2DecodeError } from '../../secs2/errors.js'
import { TypedJsonError } from '../../secs2/json.js'

const VERSION = 1

/** Keeps one text. */
export interface Disk {
  /** Undefined where there is no text yet. */
  read(): string | undefined
  /** Replaces the text: after a crash the old one or the new one is there. */
  write(text: string): void
}

/** The stored state cannot be used: it is damaged, of another model, or of another version. */
export class StateError extends Error {
  override readonly name = 'StateError'
}

/** Keeps the state of an equipment while its power is off. */
export class Memory {
  /** A change could not be written. */
  readonly failed = new Signal<Error>()
  #isDue = false

  /** Restores the equipment, which must not be enabled yet. Throws `StateError`, and the errors of the disk. */
  constructor(
    private readonly equipment: Equipment,
    /** The name of the equipment's model. */
    private readonly model: string,
    private readonly disk: Disk,
    clock: Clock,
  ) {
    const before = disk.read()
    if (before !== undefined) this.#restore(before)
    this.#write()
    onRetainedChange(equipment, () => {
      if (this.#isDue) return
      this.#isDue = true
      clock.at(clock.now(), () => this.keep())
    })
  }

  /** When this returns, changes are on the disk, or `failed` was emitted. */
  keep(): void {
    if (!this.#isDue) return
    this.#isDue = false
    try {
      this.#write()
    } catch (error) {
      this.failed.emit(error as Error)
    }
  }

  #write(): void {
    const state = {
      version: VERSION,
      model: this.model,
      retained: EncodeUnsafe({}, Retained, retained(this.equipment)),
    }
    this.disk.write(`${JSON.stringify(state)}\n`)
  }

  #restore(text: string): void {
    try {
      const lost = restore(this.equipment, retainedIn(text, this.model))
      if (lost.length > 0) throw new StateError(`the model has no place for: ${lost.join(', ')}`)
    } catch (error) {
      const isDamage = [SyntaxError, Secs2DecodeError, TypedJsonError].some((kind) => error instanceof kind)
      if (!isDamage) throw error
      throw new StateError(`it is damaged: ${(error as Error).message.replaceAll(/\s+/g, ' ')}`)
    }
  }
}

function retainedIn(text: string, expected: string): Retained {
  const { version, model, retained: state } = Object(JSON.parse(text)) as Readonly<Record<string, unknown>>
  if (typeof version !== 'number') throw new StateError('it is not the state of a simulator')
  if (version !== VERSION) {
    throw new StateError(`it is of version ${version}, and this secsctl knows version ${VERSION}`)
  }
  if (model !== expected) throw new StateError(`it is the state of ${String(model)}, not of ${expected}`)
  if (Value.Check(Retained, state)) return DecodeUnsafe({}, Retained, state) as Retained
  const [first] = Value.Errors(Retained, state)
  throw new StateError(`it is damaged: ${first?.instancePath || '/'} ${first?.message}`)
}
