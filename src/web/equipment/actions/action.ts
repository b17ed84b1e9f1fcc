import type { AnyEndpoint } from '../../../contract/endpoint.js'
import type { Equipment } from '../../../contract/equipment.js'
import type { CommandResult } from '../../../contract/topics/commands.js'
import type { Preview } from '../../../contract/topics/preview.js'
import type { NamedValue } from '../../../contract/values.js'
import type { GatewayCalls } from '../../gateway/call.js'
import { texts } from '../../texts.js'

const words = texts.actions

/** What a person typed, by the names of the fields. */
export type Typed = Readonly<Record<string, string>>

export interface Field {
  readonly name: keyof typeof words.fields
  readonly isOptional?: true
  /** Several lines. */
  readonly isLong?: true
  readonly initial?: string
  /** Words to choose from; others may be typed, too. */
  readonly known?: (act: Act) => Promise<readonly string[]>
  /** Said while the value is a known one. */
  readonly warnsIfKnown?: string
  /** The only values, each with its words. */
  readonly choices?: readonly (readonly [value: string, label: string])[]
  /** A file, whose bytes are the value, in Base64. */
  readonly isFile?: true
}

/** What an action has done. */
export interface Done {
  /** False where the equipment refused. */
  readonly isGood: boolean
  readonly text: string
  /** What the reply says of single parameters, or values. */
  readonly detail?: string
  /** Id of the recorded reply, to show it. */
  readonly replyId?: string | null
  /** The values, for a file. */
  readonly values?: readonly NamedValue[]
}

/** The equipment that an action is about, and how it is called. `reason` is for the audit. */
export interface Act {
  readonly calls: GatewayCalls
  readonly equipment: Equipment
  readonly reason?: string | undefined
  /** The Idempotency-Key: a repeat with the same one sends nothing again. */
  readonly key: string
}

/** The messages that will be sent, in their order. */
export interface Planned {
  readonly messages: readonly Preview[]
  /** What the messages do not show. */
  readonly note?: string | undefined
}

/** Something that a person can do to an equipment. */
export interface Action {
  readonly name: keyof typeof words.names
  readonly role: AnyEndpoint['access']
  /** It changes the equipment: tapped equipment is its host's alone, unless `tap.writes` allows it. */
  readonly isWriting?: true
  /** Left out: always. */
  readonly isOffered?: (equipment: Equipment) => boolean
  readonly fields?: readonly Field[]
  /** What will be sent, as the gateway shows it; left out where no message is sent. */
  readonly preview?: (typed: Typed, act: Act) => Planned | Promise<Planned>
  readonly run: (act: Act, typed: Typed) => Promise<Done>
}

/** The parts of a call about the equipment. */
export const given = ({ equipment, reason, key }: Act) => ({
  params: { id: equipment.id },
  query: { reason } as object,
  key,
})

export const done = (text: string): Done => ({ isGood: true, text })

/** The result of a remote command in words. */
export function commanded(result: CommandResult): Done {
  const { command, accepted, hcack, hcack_text, parameters, reply_id } = result
  const code = hcack === null ? words.notReadable : `HCACK ${hcack}, ${hcack_text ?? ''}`
  const detail = parameters.map(({ name, cpack, cpack_text }) => `${name}: ${cpack} ${cpack_text}`).join('\n')
  const text = words.replied(command, code)
  return { isGood: accepted === true, text, replyId: reply_id, ...(detail && { detail }) }
}

/** The result of a message whose reply has an acknowledge code, such as `ONLACK`. */
export const acknowledged = (
  name: string,
  { accepted, reply_id }: { readonly accepted: boolean; readonly reply_id: string },
  code: number,
  text: string,
): Done => ({ isGood: accepted, text: words.replied(name, `${code}, ${text}`), replyId: reply_id })

export const communicates = ({ communication_state }: Equipment): boolean =>
  communication_state === 'COMMUNICATING'
