import type { Catalogue } from '../../catalogue/catalogue.js'
import { endpoints } from '../../contract/endpoints.js'
import type { Message, NewMessage, Sent } from '../../contract/topics/messages.js'
import { EXIT_CODES } from '../../explanation/exit-codes.js'
import { outputFlag } from '../base-command.js'
import { type EquipmentCommand, equipmentVerb } from '../equipment/equipment-command.js'
import { CHANGE_FLAGS } from '../equipment/equipment-targets.js'
import { wrongUsage } from '../errors/failure.js'
import { optional } from '../input/arguments.js'
import { textFlag } from '../input/flags.js'
import { readText } from '../input/standard-input.js'
import { CATALOGUE_FLAG, catalogueHere } from './catalogue-flag.js'
import { emptyValues } from './list-hints.js'
import { messageGiven } from './message-argument.js'
import { messageSml } from './message-output.js'
import { PREVIEW, printPreview, withPreview } from './preview.js'
import { NO_WAIT, TRANSACTION_FLAGS } from './transaction-flags.js'

export const sendCommand = equipmentVerb({
  summary: 'Send a SECS message and print the reply; exit code 8 when the equipment refuses.',
  description:
    'KEY is the name of an item in the catalogue (`catalogue describe S2F41`). KEY=VALUE sends VALUE in the format of the item; KEY:=JSON takes a list, a number or an object. If an item repeats, put commas between its values. A reply that is not valid SECS-II also ends with exit code 8, and its bytes are printed.',
  usage: 'send EQUIPMENT MESSAGE [KEY=VALUE...]',
  examples: [
    'secsctl send etcher S1F1',
    'secsctl send --all S1F1 --yes',
    'secsctl send etcher S1F3 SVID=1001,1002',
    `secsctl send etcher S2F41 RCMD=STOP 'PARAMS:=[{"CPNAME":"LOT","CPVAL":"1"}]'`,
    "secsctl send etcher 'S1F3 W <L <U4 1001>>.'",
    'secsctl send etcher --file start.sml --dry-run',
  ],
  args: {
    message: optional('Such as S1F1, or an SML text; - reads SML from standard input.'),
  },
  flags: {
    ...TRANSACTION_FLAGS,
    ...CHANGE_FLAGS,
    file: textFlag('FILE', 'Read SML from a file; - is standard input.', { char: 'f' }),
    'dry-run': PREVIEW,
    catalogue: CATALOGUE_FLAG,
    'no-wait': NO_WAIT,
    output: outputFlag(['sml', 'table', 'tsv', 'json']),
  },
  words: withPreview('/message', {
    '/data/': '*',
    '/data': 'the data',
    '/body/': 'the body: *:',
    '/body': 'the body',
    '/function': 'MESSAGE',
  }),
  async one(on, { args, words, flags }) {
    const catalogue = await catalogueMeant(on, flags.catalogue)
    const given = await newMessage(on, words, flags.file, catalogue)
    const body: NewMessage = { ...given, ...(flags['no-wait'] && { wait_for_reply: false }) }
    const { stream, function: fn } = body
    if (stream !== undefined && fn !== undefined) on.subject.message = `S${stream}F${fn}`
    on.subject.heading = stream === undefined || fn === undefined ? 'the SML' : catalogue.name(stream, fn)
    const equipment = await on.equipment(args.equipment)
    if (flags['dry-run']) return printPreview(on, equipment.id, { message: body })
    const sent = await on.ask(endpoints.sendMessage, equipment.id, flags, { body })
    const { message, reply } = sent
    if (on.format === 'json') on.printJson(sent)
    else if (reply) printReply(on, reply)
    if (!reply) return on.note(`sent as message ${message.id}. Its end: secsctl messages show ${message.id}`)
    if (message.latency_ms !== undefined) on.note(`${reply.name}, after ${Math.round(message.latency_ms)} ms`)
    judge(on, equipment.name, sent, catalogue)
  },
})

/** As the gateway knows it, where that runs here. */
async function catalogueMeant(on: EquipmentCommand, file: string | undefined): Promise<Catalogue> {
  const { url } = file === undefined ? await on.session.target() : {}
  return catalogueHere(on.environment.stdin, file, on.session.folders.state, (text) => on.note(text), url)
}

async function newMessage(
  on: EquipmentCommand,
  [equipment = '', ...rest]: readonly string[],
  file: string | undefined,
  catalogue: Catalogue,
): Promise<NewMessage> {
  const [text, ...parameters] = rest
  if (file !== undefined) {
    if (text !== undefined) throw wrongUsage('--file takes the place of the message')
    return { sml: await readText(on.environment.stdin, file, '--file') }
  }
  if (text === undefined)
    throw wrongUsage('which message? Such as S1F1, an SML text, - for SML from standard input, or --file')
  if (text !== '-') return messageGiven(text, parameters, catalogue, equipment)
  if (parameters.length > 0) throw wrongUsage('an SML text holds its items: KEY=VALUE does not go with it')
  return { sml: await readText(on.environment.stdin, '-', 'the message') }
}

function printReply(on: EquipmentCommand, reply: Message): void {
  const { output } = on.globals
  if (output !== 'table' && output !== 'tsv') return on.print(messageSml(reply))
  const text = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
  on.printRecord(
    reply,
    Object.entries(reply.data ?? { SML: messageSml(reply) }).map(
      ([name, value]) => [name, text(value)] as const,
    ),
  )
}

/** A refusal is a reply, but no success. */
function judge(on: EquipmentCommand, equipment: string, sent: Sent, catalogue: Catalogue): void {
  const { reply, acknowledgement } = sent
  if (!reply) return
  const { stream, function: fn, decode_error } = reply
  if (decode_error !== undefined) {
    on.note(`the body of S${stream}F${fn} is not valid SECS-II: ${decode_error}`)
    on.note(`Try: secsctl messages show ${reply.id}`)
    on.environment.exitCode = EXIT_CODES.equipment
    return
  }
  if (reply.data === null && catalogue.find(stream, fn, 'equipment')) {
    on.note(`this does not match the catalogue's S${stream}F${fn}`)
    on.note(`Try: secsctl catalogue describe S${stream}F${fn}`)
  }
  const empty = emptyValues(sent, equipment)
  if (empty) {
    on.note(empty[0])
    on.note(`Try: ${empty[1]}`)
  }
  if (acknowledgement && !acknowledgement.accepted) on.refused(acknowledgement)
}
