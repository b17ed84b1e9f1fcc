import type { Given } from '../../catalogue/known-message.js'
import type { GivenValue } from '../../catalogue/structure/structure-data.js'
import { faultyRequest, Problem } from '../../contract/errors.js'
import type { CommandStyle, NewCommand } from '../../contract/topics/commands.js'
import type { NewMessage } from '../../contract/topics/messages.js'
import { pointerStep } from '../../kit/text/json-text.js'
import { isFormat } from '../../secs2/format.js'

/** The acknowledge code of each style's reply. */
export const CODE_OF = { host: 'HCACK', enhanced: 'HCACK', remote: 'CMDA' } as const satisfies Record<
  CommandStyle,
  string
>

/** The style that a command asks for: an object can only be named in an enhanced one. */
export const styleOf = ({ style, object }: NewCommand): CommandStyle =>
  style ?? (object === undefined ? 'host' : 'enhanced')

/** The primary of a command. Throws `invalid_request` for what its style cannot carry. */
export function commandMessage(given: NewCommand): NewMessage {
  const style = styleOf(given)
  const { command: RCMD, object, parameters = {}, wait_for_reply = true } = given
  if (object !== undefined && style !== 'enhanced') throw noRoom('object', style)
  const named = Object.entries(parameters)
  switch (style) {
    case 'host': {
      // Any JSON: values that fit no item are rejected when the body is built.
      const PARAMS = named.map(([CPNAME, value]) => ({ CPNAME, CPVAL: value as GivenValue }))
      const data: Given<'S2F41', 'host'> = { RCMD, PARAMS }
      return { stream: 2, function: 41, wait_for_reply, data }
    }
    case 'enhanced': {
      const PARAMS = named.map(([CPNAME, value]) => ({ CPNAME, CEPVAL: nested(value) }))
      const data: Given<'S2F49', 'host'> = { DATAID: '0', OBJSPEC: object ?? '', RCMD, PARAMS }
      return { stream: 2, function: 49, wait_for_reply, data }
    }
    case 'remote': {
      if (named.length > 0) throw noRoom('parameters', style)
      const data: Given<'S2F21', 'host'> = { RCMD }
      return { stream: 2, function: 21, wait_for_reply, data }
    }
  }
}

/** CEPVAL may be a list of names and values (SEMI E5): an object that is not a typed item is such a list. */
function nested(value: unknown): GivenValue {
  if (Array.isArray(value)) return value.map(nested)
  if (typeof value !== 'object' || value === null) return value as GivenValue
  const members = Object.entries(value)
  if (members.length === 1 && isFormat(members[0]?.[0] ?? '')) return value
  return members.map(([name, inner]) => [name, nested(inner)])
}

const noRoom = (member: 'object' | 'parameters', style: CommandStyle): Problem =>
  faultyRequest('invalid_request', [
    { pointer: `/${member}`, detail: `has no place in a command of style ${style}` },
  ])

/** An error of the command's message, whose pointers have to lead into the caller's command. */
export function inCommand(error: unknown, names: readonly string[]): unknown {
  if (!(error instanceof Problem) || error.code !== 'invalid_message') return error
  const errors = (error.extra.errors ?? []).map(({ pointer, detail }) => ({
    pointer: pointerOf(pointer, names),
    detail,
  }))
  return faultyRequest(error.code, errors, { start: 'The command cannot be sent: ' })
}

/** Translates a pointer into the data of the message to a pointer into the command. */
function pointerOf(pointer: string, names: readonly string[]): string {
  if (pointer === '/data/RCMD') return '/command'
  if (pointer === '/data/OBJSPEC') return '/object'
  const at = /^\/data\/PARAMS\/([0-9]+)/.exec(pointer)?.[1]
  const name = at === undefined ? undefined : names[Number(at)]
  return `/parameters${name === undefined ? '' : pointerStep(name)}`
}
