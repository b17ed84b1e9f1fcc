import { faultyRequest, Problem } from '../../contract/errors.js'
import type { MessagePreview, Preview } from '../../contract/topics/preview.js'
import { writtenInParts } from '../../kit/text/json-parts.js'
import { inTurns } from '../../kit/turns.js'
import { joined } from '../../secs2/in-parts.js'
import { faultsText } from '../../secs2/json.js'
import { jsonString } from '../../secs2/json-parts.js'
import { smlParts } from '../../secs2/sml/print.js'
import type { Reading } from '../records/reading.js'
import { commandMessage, inCommand } from '../sending/command-message.js'
import { type Model, recipeMessage } from '../services/recipes/recipe-message.js'
import { hexOf } from './body-view.js'
import { type Composed, composeMessage, encodedSteps } from './compose-message.js'

/**
 * The message that a call would send to equipment that says it is `model`. Throws as the call does, with pointers into
 * the preview's body.
 */
export async function previewOf(given: Preview, reading: Reading, model: Model): Promise<MessagePreview> {
  const members = (['message', 'command', 'recipe'] as const).filter((name) => given[name] !== undefined)
  const [member] = members
  if (!member || members.length > 1)
    throw faultyRequest('invalid_request', [
      { pointer: '', detail: 'takes one of message, command and recipe' },
    ])
  try {
    return await inTurns(previewSteps(composed(given, reading, model), reading))
  } catch (error) {
    const { command } = given
    throw below(`/${member}`, command ? inCommand(error, Object.keys(command.parameters ?? {})) : error)
  }
}

function* composed(
  { message, command, recipe }: Preview,
  reading: Reading,
  model: Model,
): Generator<void, Composed> {
  if (message) return yield* composeMessage(message, reading)
  if (command) return yield* composeMessage(commandMessage(command), reading)
  const { ppid = '', ...content } = recipe ?? {}
  const { function: fn, item } = yield* recipeMessage(ppid, content, model, reading)
  return { stream: 7, function: fn, item, wait: true, body: yield* encodedSteps({ item }, '/body') }
}

function* previewSteps(
  composing: Generator<void, Composed>,
  reading: Reading,
): Generator<void, MessagePreview> {
  const message = yield* composing
  const { stream, function: fn, wait } = message
  const head = { stream, function: fn, name: reading.catalogue.name(stream, fn), w_bit: wait }
  const sml = (): Generator<string> => smlParts(message, { text: reading.text })
  const shown = {
    ...head,
    get sml() {
      return joined(sml())
    },
    get hex() {
      return joined(hexOf(message))
    },
  }
  return writtenInParts(shown, function* () {
    yield `${JSON.stringify(head).slice(0, -1)},"sml":`
    yield* jsonString(sml())
    yield ',"hex":'
    yield* jsonString(hexOf(message))
    yield '}'
  })
}

function below(member: string, error: unknown): unknown {
  if (!(error instanceof Problem) || !error.extra.errors) return error
  const errors = error.extra.errors.map(({ pointer, detail }) => ({ pointer: member + pointer, detail }))
  // A text that names the faults names them as the pointers do.
  const isOfFaults = error.message === `${faultsText(error.extra.errors)}.`
  const text = isOfFaults ? `${faultsText(errors)}.` : error.message
  return new Problem(error.code, text, { ...error.extra, errors })
}
