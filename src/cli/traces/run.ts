import { endpoints } from '../../contract/endpoints.js'
import type { Trace } from '../../contract/topics/traces.js'
import { EXIT_CODES } from '../../explanation/exit-codes.js'
import { padded, widthOf } from '../../kit/text/columns.js'
import { type EquipmentCommand, equipmentVerb } from '../equipment/equipment-command.js'
import { Failure, wrongUsage } from '../errors/failure.js'
import { follow } from '../events/event-follow.js'
import { required } from '../input/arguments.js'
import { parseDuration } from '../input/durations.js'
import { numberFlag, switchFlag, textFlag } from '../input/flags.js'
import { TRANSACTION_FLAGS } from '../messages/transaction-flags.js'
import { isPlainTerminal } from '../output/chart.js'
import type { FormatTime } from '../output/local-time.js'
import { IN_SECONDS } from '../output/member-words.js'
import { type Column, tsv } from '../output/output.js'
import { TracePlot } from './trace-plot.js'
import { gapBefore, type Sample, samplesIn } from './trace-samples.js'

/** Longer than that after a sample was due, in milliseconds, it is not waited for. */
const END_TIMEOUT_MS = 10_000

export const tracesRun = equipmentVerb({
  summary: 'Have an equipment sample status variables, and print each sample as it comes (S2F23).',
  description:
    "One row a sample; with --json one object a line. Times are of the equipment's clock: in a group it gives the time of the last sample (STIME), the others are one period earlier each; received_at is the time of reception. Ends with the last sample; Ctrl-C ends the trace in the equipment, too. After a lost connection or a restart of the gateway the samples that the equipment still sends are printed, and the missing ones are named at the end; a trace that the equipment has ended is not started again. Exit code 7 when a sample does not come, 8 when the equipment refuses.",
  usage: 'traces run EQUIPMENT VARIABLE... [--period 1s] [--samples 60]',
  examples: [
    'secsctl traces run etcher ChamberPressure RFPower --period 1s --samples 60',
    'secsctl traces run etcher ChamberPressure --period 500ms -n 120 --plot',
    'secsctl traces run etcher 1010 1011 --samples 10 --group 5 --json',
  ],
  args: { variable: required('Names or SVIDs.') },
  flags: {
    ...TRANSACTION_FLAGS,
    period: textFlag('DURATION', 'From one sample to the next.', { default: '1s' }),
    samples: numberFlag('How many in all.', { char: 'n', min: 1, default: 60 }),
    group: numberFlag('How many come at once.', { min: 1, default: 1 }),
    trid: textFlag('TRID', 'Its TRID; the least free number unless given.'),
    plot: switchFlag('Draw charts instead of rows, on a terminal.'),
  },
  single: true,
  words: {
    '/period_seconds': `--period${IN_SECONDS}`,
    '/group_size': '--group',
    '/variables': 'VARIABLE',
    '/TRID': '--trid',
  },
  async one(on, { args, words, flags }) {
    if (flags.plot && (on.format !== 'table' || !on.environment.stdout.isTTY))
      throw wrongUsage('--plot draws on a terminal, and not with -o or --json')
    const signal = on.environment.interruption.hold()
    const { id, name } = await on.equipment(args.equipment)
    const started = await on.ask(endpoints.startTrace, id, flags, {
      body: {
        variables: words.slice(1),
        period_seconds: parseDuration(flags.period, '--period') / 1000,
        samples: flags.samples,
        group_size: flags.group,
        ...(flags.trid !== undefined && { trid: flags.trid }),
      },
    })
    const { trace, message_id } = started
    if (!trace) return on.printVerdict('TIAACK', started)
    on.note(`Trace ${trace.trid} of ${name} runs. Ctrl-C ends it.`)
    const { timeout } = flags
    const end = () => on.ask(endpoints.endTrace, id, { timeout }, { params: { trid: trace.trid } })
    const endIfPossible = () =>
      end().catch(({ message }: Error) =>
        on.notice(`Trace ${trace.trid} could not be ended in the equipment: ${message}`),
      )
    let isOver: boolean
    try {
      isOver = await followTrace(on, id, trace, message_id, flags.plot, signal)
    } catch (error) {
      // The samples are not read any more; the error is shown, also where the trace cannot be ended.
      await endIfPossible()
      throw error
    }
    if (isOver) return
    if (!signal.aborted) {
      // The equipment may have ended it, or be gone.
      await endIfPossible()
      throw new Failure(
        'timeout',
        `${name} sent no further sample of trace ${trace.trid}. Equipment may end its traces when the connection is lost or the gateway restarts; the trace is not started again.`,
      )
    }
    await end()
    on.note(`Trace ${trace.trid} of ${name} was ended.`)
  },
})

async function followTrace(
  on: EquipmentCommand,
  id: string,
  trace: Trace,
  after: string,
  plot: boolean,
  signal: AbortSignal,
): Promise<boolean> {
  const print = plot ? plotter(on, trace) : printer(on, trace)
  const enough = new AbortController()
  const idle = trace.period_seconds * trace.group_size * 2000 + END_TIMEOUT_MS
  let last = 0
  const gaps: string[] = []
  await follow(
    await on.client(),
    {
      equipment_id: id,
      type: ['message'],
      after,
      idle,
      waitsForGateway: true,
      where: (event) => samplesIn(event, trace).length > 0,
      ...on.persistence(),
    },
    { clock: on.clock, signal: AbortSignal.any([signal, enough.signal]) },
    (event) => {
      for (const sample of samplesIn(event, trace)) {
        gaps.push(...gapBefore(sample, last))
        print(sample)
        last = sample.number
      }
      if (last >= trace.samples) enough.abort()
    },
  )
  if (gaps.length > 0) {
    on.note(`Not all of trace ${trace.trid} came; missing: ${gaps.join(', ')}.`)
    on.environment.exitCode = EXIT_CODES.timeout
  }
  return last >= trace.samples
}

function plotter(on: EquipmentCommand, trace: Trace): (sample: Sample) => void {
  const isPlain = isPlainTerminal(on.environment.variables)
  const screen = () => ({
    columns: on.environment.stdout.columns || 80,
    rows: on.environment.stdout.rows || 24,
    isPlain,
  })
  const plot = new TracePlot(trace, screen)
  return (sample) => void on.write(plot.next(sample))
}

function printer(on: EquipmentCommand, trace: Trace): (sample: Sample) => void {
  if (on.format === 'json') return (sample) => on.printLine(objectOf(sample, trace))
  const columns = columnsOf(trace, on.formatTime)
  if (on.format === 'tsv') return (sample) => void on.write(tsv([sample], columns))
  const widths = columns.map(({ title }) => Math.max(widthOf(title), 8))
  const line = (texts: readonly string[]): void =>
    on.print(
      texts
        .map((text, at) => padded(text, widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
  line(columns.map(({ title }) => title))
  return (sample) => line(columns.map(({ text }) => text(sample)))
}

const columnsOf = (trace: Trace, formatTime: FormatTime): readonly Column<Sample>[] => [
  { title: 'SAMPLE', text: ({ number }) => String(number) },
  { title: 'TIME', text: ({ sampledAt }) => formatTime(sampledAt) },
  ...trace.variables.map(({ id, name }, place) => ({
    title: name || id,
    text: ({ values }: Sample) => values[place]?.text ?? '',
  })),
]

const objectOf = ({ number, sampledAt, receivedAt, values }: Sample, { trid }: Trace): object => ({
  trid,
  sample: number,
  sampled_at: sampledAt,
  received_at: receivedAt,
  values,
})
