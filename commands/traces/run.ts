import { Flags } from '@oclif/core'
import { Failure, wrongUsage } from '../../src/cli/errors/failure.js'
import { follow } from '../../src/cli/events/event-follow.js'
import { EQUIPMENT_ARGUMENT, required } from '../../src/cli/input/arguments.js'
import { parseDuration } from '../../src/cli/input/durations.js'
import { TRANSACTION_FLAGS } from '../../src/cli/messages/transaction-flags.js'
import { isPlainTerminal } from '../../src/cli/output/chart.js'
import type { FormatTime } from '../../src/cli/output/local-time.js'
import { IN_SECONDS } from '../../src/cli/output/member-words.js'
import { type Column, tsv } from '../../src/cli/output/output.js'
import { ServiceCommand } from '../../src/cli/service-command.js'
import { TracePlot } from '../../src/cli/traces/trace-plot.js'
import { gapBefore, type Sample, samplesIn } from '../../src/cli/traces/trace-samples.js'
import { endpoints } from '../../src/contract/endpoints.js'
import type { Trace } from '../../src/contract/topics/traces.js'
import { EXIT_CODES } from '../../src/explanation/exit-codes.js'

/** Longer than that after a sample was due, in milliseconds, it is not waited for. */
const END_TIMEOUT_MS = 10_000

export default class TracesRun extends ServiceCommand {
  static override summary =
    'Have an equipment sample status variables, and print each sample as it comes (S2F23).'
  static override description =
    "One row a sample; with --json one object a line. Times are of the equipment's clock: in a group it gives the time of the last sample (STIME), the others are one period earlier each; received_at is the time of reception. Ends with the last sample; Ctrl-C ends the trace in the equipment, too. After a lost connection or a restart of the gateway the samples that the equipment still sends are printed, and the missing ones are named at the end; a trace that the equipment has ended is not started again. Exit code 7 when a sample does not come, 8 when the equipment refuses."
  static override strict = false
  static override usage = 'traces run EQUIPMENT VARIABLE... [--period 1s] [--samples 60]'
  static override examples = [
    'secsctl traces run etcher ChamberPressure RFPower --period 1s --samples 60',
    'secsctl traces run etcher ChamberPressure --period 500ms -n 120 --plot',
    'secsctl traces run etcher 1010 1011 --samples 10 --group 5 --json',
  ]
  static override args = { equipment: EQUIPMENT_ARGUMENT, variable: required('Names or SVIDs.') }
  static override flags = {
    ...TRANSACTION_FLAGS,
    period: Flags.string({ default: '1s', helpValue: 'DURATION', summary: 'From one sample to the next.' }),
    samples: Flags.integer({ char: 'n', min: 1, default: 60, helpValue: 'N', summary: 'How many in all.' }),
    group: Flags.integer({ min: 1, default: 1, helpValue: 'N', summary: 'How many come at once.' }),
    trid: Flags.string({ helpValue: 'TRID', summary: 'Its TRID; the least free number unless given.' }),
    plot: Flags.boolean({ summary: 'Draw charts instead of rows, on a terminal.' }),
  }

  protected override readonly words = {
    '/period_seconds': `--period${IN_SECONDS}`,
    '/group_size': '--group',
    '/variables': 'VARIABLE',
    '/TRID': '--trid',
  }

  protected async one(): Promise<void> {
    const { args, argv, flags } = await this.parse(TracesRun)
    if (flags.plot && (this.format !== 'table' || !this.environment.stdout.isTTY))
      throw wrongUsage('--plot draws on a terminal, and not with -o or --json')
    const signal = this.environment.interruption.hold()
    const { id, name } = await this.equipment(args.equipment)
    const started = await this.ask(endpoints.startTrace, id, flags, {
      body: {
        variables: argv.slice(1).map(String),
        period_seconds: parseDuration(flags.period, '--period') / 1000,
        samples: flags.samples,
        group_size: flags.group,
        ...(flags.trid !== undefined && { trid: flags.trid }),
      },
    })
    const { trace, message_id } = started
    if (!trace) return this.printVerdict('TIAACK', started)
    this.note(`Trace ${trace.trid} of ${name} runs. Ctrl-C ends it.`)
    const { timeout } = flags
    const end = () => this.ask(endpoints.endTrace, id, { timeout }, { params: { trid: trace.trid } })
    let isOver: boolean
    try {
      isOver = await this.#follow(id, trace, message_id, flags.plot, signal)
    } catch (error) {
      // The samples are not read any more; the error is shown, also where the trace cannot be ended.
      await end().catch(() => undefined)
      throw error
    }
    if (isOver) return
    if (!signal.aborted) {
      // The equipment may have ended it, or be gone.
      await end().catch(() => undefined)
      throw new Failure(
        'timeout',
        `${name} sent no further sample of trace ${trace.trid}. Equipment may end its traces when the connection is lost or the gateway restarts; the trace is not started again.`,
      )
    }
    await end()
    this.note(`Trace ${trace.trid} of ${name} was ended.`)
  }

  async #follow(
    id: string,
    trace: Trace,
    after: string,
    plot: boolean,
    signal: AbortSignal,
  ): Promise<boolean> {
    const print = plot ? this.#plotter(trace) : this.#printer(trace)
    const enough = new AbortController()
    const idle = trace.period_seconds * trace.group_size * 2000 + END_TIMEOUT_MS
    let last = 0
    const gaps: string[] = []
    await follow(
      await this.client(),
      {
        ...{ equipment_id: id, type: ['message'], after, idle },
        where: (event) => samplesIn(event, trace).length > 0,
        onLoss: (error, wait) => this.notice(`${error.message} Trying again in ${wait / 1000} s.`),
      },
      { clock: this.clock, signal: AbortSignal.any([signal, enough.signal]) },
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
      this.note(`Not all of trace ${trace.trid} came; missing: ${gaps.join(', ')}.`)
      this.environment.exitCode = EXIT_CODES.timeout
    }
    return last >= trace.samples
  }

  #plotter(trace: Trace): (sample: Sample) => void {
    const isPlain = isPlainTerminal(this.environment.variables)
    const screen = () => ({
      columns: this.environment.stdout.columns || 80,
      rows: this.environment.stdout.rows || 24,
      isPlain,
    })
    const plot = new TracePlot(trace, screen)
    return (sample) => void this.write(plot.next(sample))
  }

  #printer(trace: Trace): (sample: Sample) => void {
    if (this.format === 'json') return (sample) => this.printLine(objectOf(sample, trace))
    const columns = columnsOf(trace, this.formatTime)
    if (this.format === 'tsv') return (sample) => void this.write(tsv([sample], columns))
    const widths = columns.map(({ title }) => Math.max(title.length, 8))
    const line = (texts: readonly string[]): void =>
      this.print(
        texts
          .map((text, at) => text.padEnd(widths[at] ?? 0))
          .join('  ')
          .trimEnd(),
      )
    line(columns.map(({ title }) => title))
    return (sample) => line(columns.map(({ text }) => text(sample)))
  }
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
