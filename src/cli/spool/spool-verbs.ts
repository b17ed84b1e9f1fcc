import { endpoints } from '../../contract/endpoints.js'
import type { Spool, SpooledStream } from '../../contract/topics/spool.js'
import { outputFlag, RECORD_FORMATS } from '../base-command.js'
import { equipmentVerb } from '../equipment/equipment-command.js'
import { CHANGES, READS } from '../equipment/equipment-targets.js'
import { wrongUsage } from '../errors/failure.js'
import { optional } from '../input/arguments.js'
import { switchFlag } from '../input/flags.js'
import { messageWord } from '../input/message-word.js'
import type { FormatTime } from '../output/local-time.js'

/** Messages and whole streams, as `S5F1 S6`. */
const spooledText = (streams: readonly SpooledStream[]): string =>
  streams
    .flatMap(({ stream, functions }) =>
      functions.length === 0 ? [`S${stream}`] : functions.map((fn) => `S${stream}F${fn}`),
    )
    .join(' ')

/** The same as typed words. A stream that is named alone stands for all of its functions. */
function spooledGiven(words: readonly string[]): SpooledStream[] {
  const streams = new Map<number, number[] | undefined>()
  for (const word of words) {
    const [stream, fn] = messageWord(word).slice(1).split('F')
    const others = streams.has(Number(stream)) ? streams.get(Number(stream)) : []
    const all = fn === undefined || others === undefined ? undefined : [...others, Number(fn)]
    streams.set(Number(stream), all)
  }
  return [...streams].map(([stream, functions = []]) => ({ stream, functions }))
}

const UNKNOWN = 'not known: the equipment does not reply to S2F59, and no S2F43 that it accepted is recorded'

function chosenFields({ spooled }: Spool, formatTime: FormatTime): (readonly [string, string])[] {
  if (spooled === null) return [['chosen', UNKNOWN]]
  const { streams, known_from, at, message_id } = spooled
  const source = known_from === 'equipment' ? 'S2F60' : `S2F43 of ${formatTime(at)}`
  return [
    ['chosen', streams.length === 0 ? 'nothing' : spooledText(streams)],
    ['known from', `${source}, message ${message_id}`],
  ]
}

export const spoolShow = equipmentVerb({
  summary: 'Show the state of the spool, and which messages an equipment spools (S1F3, S2F13, S2F59).',
  description:
    'GEM has no message that asks for the state of the spool: the command shows the status variables and constants of the equipment with `spool` in their names, such as SpoolCountActual. If equipment does not reply to S2F59, the chosen messages are those of the last S2F43 that it accepted from the gateway.',
  examples: ['secsctl spool show track', 'secsctl spool show --all --json'],
  flags: { ...READS, output: outputFlag(RECORD_FORMATS) },
  // Each equipment has other variables.
  recordsAreTables: false,
  async one(on, { args, flags }) {
    const spool = await on.ask(endpoints.getSpool, args.equipment, flags)
    on.printRecord(spool, [
      ...spool.values.map(
        ({ id, name, text, unit }) => [name || (id ?? ''), unit ? `${text} ${unit}` : text] as const,
      ),
      ...chosenFields(spool, on.formatTime),
    ])
    if (spool.values.length === 0)
      on.note('no status variable or constant has "spool" in its name: what the spool holds cannot be asked')
  },
})

export const spoolSet = equipmentVerb({
  summary: 'Choose the messages that an equipment spools (S2F43); exit code 8 when it refuses.',
  description:
    'The new choice replaces the old one. Equipment may also have a constant that turns spooling on: `spool show` prints it, `constants set` changes it.',
  usage: 'spool set EQUIPMENT MESSAGE...',
  examples: [
    'secsctl spool set track S5F1 S6F11',
    'secsctl spool set track S5 S6',
    'secsctl spool set track --none',
  ],
  args: {
    message: optional('Messages, such as S6F11, and streams with all of their functions, such as S6.'),
  },
  flags: { ...CHANGES, none: switchFlag('Spool nothing.') },
  words: { '/streams/': 'MESSAGE: *', '/streams': 'MESSAGE' },
  async one(on, { args, flags, words }) {
    const streams = spooledGiven(words.slice(1))
    if ((flags.none === true) === streams.length > 0)
      throw wrongUsage('name the messages to spool, such as S6F11, or give --none')
    const result = await on.ask(endpoints.setSpool, args.equipment, flags, { body: { streams } })
    on.printVerdict('RSPACK', result)
    for (const { strack, strack_text, ...fault } of result.faults)
      on.note(`${spooledText([fault])}: STRACK ${strack}, ${strack_text}`)
  },
})

export const spoolTransmit = equipmentVerb({
  summary: 'Request the spooled messages of an equipment (S6F23); exit code 8 when it refuses.',
  description:
    'The gateway makes this request itself after every connect. The messages come afterwards, marked spooled?. Equipment with MaxSpoolTransmit sends only this number for each request. RSDA 2 (nothing is spooled) is not a refusal.',
  examples: ['secsctl spool transmit track', 'secsctl messages list --equipment track'],
  flags: CHANGES,
  async one(on, { args, flags }) {
    on.printVerdict('RSDA', await on.ask(endpoints.transmitSpool, args.equipment, flags))
  },
})

export const spoolPurge = equipmentVerb({
  summary: 'Delete the spooled messages of an equipment (S6F23); exit code 8 when it refuses.',
  description: 'Nobody gets these messages. RSDA 2 (nothing is spooled) is not a refusal.',
  examples: ['secsctl spool purge track --yes'],
  flags: CHANGES,
  async one(on, { args, flags }) {
    const { id, name } = await on.equipment(args.equipment)
    await on.confirmed(`Delete the spooled messages of ${name}?`, flags.yes)
    on.printVerdict('RSDA', await on.ask(endpoints.purgeSpool, id, flags))
  },
})
