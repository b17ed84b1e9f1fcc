import { recordsLost } from '../../client/capture-blocks.js'
import { Unreachable } from '../../client/failures.js'
import { captureWire, keepFollowingWire } from '../../client/wire.js'
import type { Equipment } from '../../contract/equipment.js'
import { MAX_WIRE_LOGS } from '../../contract/topics/wire.js'
import { shellWord } from '../../kit/shell-word.js'
import { outputFlag } from '../base-command.js'
import { equipmentVerb } from '../equipment/equipment-command.js'
import { mayBeSeveral, TARGET_FLAGS } from '../equipment/equipment-targets.js'
import { namesOf } from '../equipment/unreached.js'
import { Failure, wrongUsage } from '../errors/failure.js'
import { GatewayCommand } from '../gateway-command.js'
import { SEVERAL_EQUIPMENT } from '../input/arguments.js'
import { parseDuration } from '../input/durations.js'
import { fileFor, isForEach } from '../input/file-pattern.js'
import { numberFlag, switchFlag, textFlag } from '../input/flags.js'
import { IdleTimeout } from '../input/idle-timeout.js'
import { verb } from '../verb.js'
import { CaptureFile } from './capture-file.js'
import { printedWire } from './wire-printer.js'

/** Throws where these are more than the gateway shows to one user at once. */
function checkWireLogs(chosen: readonly Equipment[]): void {
  if (chosen.length <= MAX_WIRE_LOGS) return
  const what = `these are ${chosen.length} equipment (${namesOf(chosen)})`
  throw wrongUsage(`${what}, and the gateway serves ${MAX_WIRE_LOGS} wire logs to one user at once`)
}

export const wireCapture = equipmentVerb({
  summary: 'Capture the messages between the gateway and equipment for Wireshark.',
  description:
    'Writes a pcapng file, which Wireshark can open while it grows, until Ctrl-C or --count. Set the port in Wireshark: Decode As HSMS, or `-d tcp.port==5000,hsms`. Stores nothing in the gateway. For several equipments (at most 8), --file needs {equipment} in the name: one file for each.',
  examples: [
    'secsctl wire capture etcher --file etcher.pcapng',
    'secsctl wire capture etcher --count 100 --file etcher.pcapng',
    "secsctl wire capture 'etch-*' --file 'captures/{equipment}.pcapng'",
    'secsctl wire capture etcher | wireshark -k -i - -d tcp.port==5000,hsms',
  ],
  flags: {
    count: numberFlag('End after N HSMS messages.', { char: 'n', min: 1 }),
    file: textFlag(
      'FILE',
      'Write to this file, which must not be there yet; standard output when left out. {equipment} is replaced, and folders made.',
      { char: 'f' },
    ),
    ...TARGET_FLAGS,
    output: outputFlag(['json']),
  },
  checkSeveral({ file }, chosen) {
    if (file === undefined || !isForEach(file))
      throw wrongUsage('captures of several equipments need --file with {equipment} in it: each gets a file')
    checkWireLogs(chosen)
  },
  async one(on, { args, flags }) {
    const { count } = flags
    const { stdout } = on.environment
    if (flags.file === undefined && stdout.isTTY) {
      throw wrongUsage(
        'a capture is bytes, which a terminal cannot show: name a file, or pipe it into Wireshark',
        `secsctl wire capture ${shellWord(args.equipment)} --file ${shellWord(`${args.equipment}.pcapng`)}`,
      )
    }
    const client = await on.client()
    const { id, name, port } = await on.equipment(args.equipment)
    const file = flags.file === undefined ? undefined : fileFor(flags.file, { equipment: name })
    const signal = on.environment.interruption.hold()
    const query = count === undefined ? {} : { count }
    const kept = file === undefined ? undefined : new CaptureFile(file)
    let lost = 0
    try {
      for await (const blocks of captureWire(client.options, id, query, signal)) {
        lost += recordsLost(blocks)
        if (kept) kept.write(blocks)
        // As fast as the reader takes it: the gateway leaves out and counts what is not taken in time.
        else await new Promise<void>((resolve) => stdout.write(blocks, () => resolve()))
      }
    } finally {
      kept?.close()
    }
    if (lost > 0) {
      on.note(
        `${lost} records are missing: more passed than could be written. Comments in the file mark the places.`,
      )
    }
    if (kept) {
      on.note(`${kept.bytes} bytes in ${file}. Open it: wireshark -d tcp.port==${port},hsms ${file}`)
    }
    if (count === undefined && !signal.aborted)
      throw new Unreachable(client.options.url, `The gateway ended the wire log of ${name}.`)
  },
})

export const wireTail = verb(GatewayCommand, {
  summary: 'Print each message between the gateway and equipment as it passes.',
  description:
    'Prints every HSMS message in both directions, also control messages, and continues after reconnects of the equipment and restarts of the gateway. Of tapped equipment it says whether host, gateway or equipment sent each. Stores nothing, and shows nothing from before. With --json, one object a line. For several equipments (at most 8), each record has the name of its equipment, and --count is for all of them together.',
  examples: [
    'secsctl wire tail etcher',
    "secsctl wire tail 'etch-*'",
    'secsctl wire tail etcher --hex --count 20',
    'secsctl wire tail etcher -o sml',
    'secsctl wire tail etcher --json --idle-timeout 30s',
  ],
  args: { equipment: SEVERAL_EQUIPMENT },
  strict: false,
  flags: {
    ...TARGET_FLAGS,
    count: numberFlag('End after N messages.', { char: 'n', min: 1 }),
    hex: switchFlag('Also print the bytes of each message.'),
    'idle-timeout': textFlag('DURATION', 'End with exit code 7 when nothing has passed for so long.'),
    output: outputFlag(['table', 'tsv', 'json', 'sml']),
  },
  async run(on, { words, flags }) {
    const { hex, 'idle-timeout': idle } = flags
    const limit = idle === undefined ? undefined : parseDuration(idle, '--idle-timeout')
    const client = await on.client()
    const chosen = await on.chosen(words, flags.all, flags.selector)
    checkWireLogs(chosen)
    const { format, sink, formatTime } = on
    const printing = {
      format,
      hex,
      // Milliseconds, since several messages may pass in one second.
      formatTime: (at: string) => (sink.isTerminal ? formatTime(at) + at.slice(19, 23) : at),
    }
    const query = flags.count === undefined ? {} : { count: flags.count }
    const persistence = on.persistence('What passes meanwhile is not seen. ')
    const options = { ...client.options, ...persistence, clock: on.clock }
    const [given = '*'] = words
    const isOne = chosen.length === 1 && (chosen[0]?.name === given || !mayBeSeveral(given))
    const over = new AbortController()
    const idleTimeout = new IdleTimeout(on.clock, limit, on.environment.interruption.hold())
    const signal = AbortSignal.any([idleTimeout.signal, over.signal])
    idleTimeout.begin()
    let left = flags.count ?? Number.POSITIVE_INFINITY
    const follow = async ({ id, name }: Equipment): Promise<void> => {
      for await (const record of keepFollowingWire(options, id, query, signal)) {
        if (over.signal.aborted) return
        idleTimeout.begin()
        on.write(printedWire(record, isOne ? printing : { ...printing, equipment: name }))
        if (record.kind === 'frame') left -= 1
        if (left === 0) over.abort()
      }
    }
    try {
      await Promise.all(chosen.map(follow))
    } catch (error) {
      if (!idleTimeout.signal.aborted) throw error
    } finally {
      idleTimeout.end()
      over.abort()
    }
    if (idleTimeout.over) throw new Failure('timeout', `nothing passed for ${idle}`)
  },
})
