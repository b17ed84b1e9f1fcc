import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { equipmentStored } from '../../daemon/stored-files.js'
import { decoded } from '../../secs2/decode.js'
import { printItem } from '../../secs2/sml/print.js'
import { type RecordedMessage, RecordingError, readRecording } from '../../simulator/replay/recording.js'
import { Replay } from '../../simulator/replay/replay.js'
import type { ReplayRemark, ReplayScore } from '../../simulator/replay/score.js'
import { BaseCommand } from '../base-command.js'
import {
  ACTIVE_FLAG,
  HOST_FLAG,
  LINE_FLAGS,
  lineGiven,
  PORT_FLAG,
  placeGiven,
} from '../equipment/equipment-place-flags.js'
import { Failure, wrongUsage } from '../errors/failure.js'
import { readFault } from '../errors/file-fault.js'
import { required } from '../input/arguments.js'
import { parseDuration } from '../input/durations.js'
import { switchFlag, textFlag } from '../input/flags.js'
import { verb } from '../verb.js'
import { listening } from './simulator-model.js'

/** A body as people read it, on one line. */
function bodyText(body: Uint8Array | undefined): string {
  if (!body) return 'nothing'
  const { item, fault } = decoded(body)
  if (fault !== undefined) return `${body.length} bytes that are no SECS-II`
  return item ? printItem(item).replace(/\s+/g, ' ') : 'an empty body'
}

/** A difference that is shown while a recording is replayed. */
function remarkText(remark: ReplayRemark): string {
  switch (remark.kind) {
    case 'unknown':
      return `${remark.message} was not recorded with this body, and is aborted: ${bodyText(remark.body)}`
    case 'nearly':
      return `${remark.message} was not recorded with this body; the reply is the one to the most similar body: ${bodyText(remark.body)}`
    case 'unprompted':
      return `${remark.message} of entry ${remark.id} came after ${remark.cause.message} (entry ${remark.cause.id}), which this host does not send: no ${remark.cause.message} is waited for any more`
    case 'missing':
      return `${remark.message} of entry ${remark.id} has no reply: ${remark.why}`
    case 'differed':
      return `${remark.message} of entry ${remark.id} had the reply ${bodyText(remark.expected)}, and now has ${bodyText(remark.got)}`
  }
}

/** A remark as a program reads it: bodies in lower-case hex. */
function remarkRecord(remark: ReplayRemark): object {
  const hex = (body: Uint8Array | undefined) => (body ? Buffer.from(body).toString('hex') : null)
  if (remark.kind === 'missing' || remark.kind === 'unprompted') return remark
  if (remark.kind !== 'differed') return { ...remark, body: hex(remark.body) }
  return { ...remark, expected: hex(remark.expected), got: hex(remark.got) }
}

const scoreFields = (score: ReplayScore): readonly (readonly [string, string])[] => [
  ['sent', `${score.sent} of ${score.recorded}`],
  ['replies as recorded', String(score.matched)],
  ['other replies', String(score.differed)],
  ['no reply', String(score.missing)],
  ['not waited for', String(score.unprompted)],
  ['asked as recorded', String(score.answered)],
  ['asked nearly so', String(score.answered_nearly)],
  ['asked otherwise', String(score.unknown)],
]

export const simulatorReplay = verb(BaseCommand, {
  summary: 'Send again what equipment sent in a recording.',
  description:
    'FILE is the output of "journal export". It sends the primaries of the equipment again at the recorded intervals. If a message was recorded after a host message that may cause others (a command, the definition of a report), it waits until that host message has come as often as in the recording. So another speed or a slower host does not change the order; --patience limits the wait. The host gets the recorded replies: a message with the same body gets them in their order, and after the last one the first again. Any other message is aborted (SxF0) and shown on standard error; with --loose it gets the reply to the recorded body with the longest common beginning. The replay ends when all is sent and the host has sent nothing for a second. Exit code 8 means that the host replied differently, or not at all. The time in a reply (S2F18) is not compared.',
  examples: [
    'secsctl journal export --equipment etcher --since 1d > day.ndjson',
    'secsctl simulator replay day.ndjson --port 5000 --speed 10',
    'secsctl simulator replay day.ndjson --port 4001 --transport secs1-tcp',
    'secsctl simulator replay day.ndjson --active 127.0.0.1:5001 --json',
  ],
  args: { file: required('The exported journal; - is standard input.') },
  flags: {
    host: HOST_FLAG,
    port: PORT_FLAG,
    active: ACTIVE_FLAG,
    ...LINE_FLAGS,
    equipment: textFlag(
      'EQ',
      'Which equipment of the recording: its id, a beginning of it, or the name that it has on this machine.',
    ),
    speed: textFlag('N', 'How many times faster than recorded.', { default: '1' }),
    'as-fast-as-possible': switchFlag(
      'Do not wait for the intervals: only for the previous reply, and as --patience says.',
      { exclusive: ['speed'] },
    ),
    patience: textFlag(
      'DURATION',
      'How long a message waits for the message of the host that it was recorded after; 0s: not at all.',
      { default: '10s' },
    ),
    loose: switchFlag('Also reply to messages that were recorded with another body.'),
  },
  async run(on, { args, flags }) {
    const speed = flags['as-fast-as-possible'] ? Infinity : Number(flags.speed)
    if (!(speed > 0)) throw wrongUsage(`--speed takes a number above 0, not "${flags.speed}"`)
    const messages = await chosen(
      await recordingIn(on.environment.stdin, args.file),
      on.folders.data,
      flags.equipment,
    )
    const place = placeGiven(flags)
    const dials = place.role === 'active'
    const line = lineGiven(flags)
    const replay = new Replay(
      messages,
      {
        ...place,
        line,
        speed,
        loose: flags.loose,
        timeoutMs: parseDuration(flags.patience, '--patience'),
      },
      on.clock,
    )
    replay.remarked.on((remark) => {
      if (on.format === 'json') on.printLine(remarkRecord(remark))
      else on.note(remarkText(remark))
    })
    const signal = on.environment.interruption.hold()
    await listening(replay.start(), 'another --port, or 0 for a free one')
    try {
      const serial_port = line?.serialPort
      if (on.format === 'json')
        on.printLine(serial_port === undefined ? { listening: !dials, port: replay.port } : { serial_port })
      else if (serial_port !== undefined) on.note(`at ${serial_port}`)
      else on.note(dials ? `dialling ${flags.active}` : `listening on ${flags.host}:${replay.port}`)
      await replay.run(signal)
    } finally {
      await replay.stop()
    }
    const { score } = replay
    if (on.format === 'json') on.printLine({ summary: score })
    else on.printRecord(score, scoreFields(score))
    if (score.differed + score.missing === 0 || signal.aborted) return
    throw new Failure('equipment', `the host replied differently: ${score.differed + score.missing} times`)
  },
})

async function recordingIn(
  stdin: NodeJS.ReadStream,
  file: string,
): Promise<ReadonlyMap<string, readonly RecordedMessage[]>> {
  const input = file === '-' ? stdin : createReadStream(file)
  try {
    return await readRecording(createInterface({ input, crlfDelay: Infinity }))
  } catch (error) {
    if (error instanceof RecordingError) throw wrongUsage(`${file}, ${error.message}`)
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
    throw wrongUsage(`${file} cannot be read: ${readFault(error)}`)
  }
}

/** The messages of the equipment that is meant, which may be left out where there is one alone. */
async function chosen(
  recording: ReadonlyMap<string, readonly RecordedMessage[]>,
  dataFolder: string,
  given: string | undefined,
): Promise<readonly RecordedMessage[]> {
  const ids = [...recording.keys()]
  // An export has ids alone: the names are those of the gateway on this machine.
  const known = await equipmentStored(dataFolder)
  const meant = [known.find(({ name }) => name === given)?.id, given]
  const exact = ids.filter((id) => meant.includes(id))
  const found = exact.length > 0 ? exact : ids.filter((id) => id.startsWith(given ?? ''))
  const [one] = found
  if (one !== undefined && found.length === 1) return recording.get(one) ?? []
  if (ids.length === 0) throw wrongUsage('there are no messages in the recording')
  const shown = ids.slice(0, 20).map((id) => {
    const name = known.find((one) => one.id === id)?.name
    return `${id} (${name === undefined ? '' : `${name}, `}${recording.get(id)?.length} messages)`
  })
  const more = ids.length > 20 ? ` and ${ids.length - 20} more` : ''
  const what = given === undefined ? 'the recording has several equipments' : `"${given}" is none or several`
  throw wrongUsage(`${what}; choose with --equipment: ${shown.join(', ')}${more}`)
}
