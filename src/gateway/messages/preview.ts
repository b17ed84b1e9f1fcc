import { faultyRequest, Problem } from '../../contract/errors.js'
import type { MessagePreview, Preview } from '../../contract/topics/commands.js'
import type { NewMessage } from '../../contract/topics/messages.js'
import { inTurns } from '../../kit/turns.js'
import { smlParts } from '../../secs2/sml/print.js'
import type { Reading } from '../records/reading.js'
import { commandMessage, inCommand } from '../sending/command-message.js'
import { composeMessage } from './compose-message.js'

/** The message that a call would send. Throws as the call does, with pointers into the preview's body. */
export async function previewOf({ message, command }: Preview, reading: Reading): Promise<MessagePreview> {
  if (message && !command)
    return inTurns(previewSteps(message, reading)).catch((error: unknown) => {
      throw below('/message', error)
    })
  if (!command || message)
    throw faultyRequest('invalid_request', [{ pointer: '', detail: 'takes either message or command' }])
  try {
    return await inTurns(previewSteps(commandMessage(command), reading))
  } catch (error) {
    throw below('/command', inCommand(error, Object.keys(command.parameters ?? {})))
  }
}

function* previewSteps(given: NewMessage, reading: Reading): Generator<void, MessagePreview> {
  const { stream, function: fn, item, wait, body } = yield* composeMessage(given, reading)
  let sml = ''
  for (const part of smlParts({ stream, function: fn, wait, item }, { text: reading.text })) {
    sml += part
    yield
  }
  const name = reading.catalogue.name(stream, fn)
  return { stream, function: fn, name, w_bit: wait, sml, hex: Buffer.from(body).toString('hex') }
}

function below(member: string, error: unknown): unknown {
  if (!(error instanceof Problem) || !error.extra.errors) return error
  const errors = error.extra.errors.map(({ pointer, detail }) => ({ pointer: member + pointer, detail }))
  return new Problem(error.code, error.message, { ...error.extra, errors })
}
