import { Args } from '@oclif/core'
import { endpoints } from '../../contract/endpoints.js'
import { Problem } from '../../contract/errors.js'
import type { Event } from '../../contract/topics/events.js'
import type { Sink } from '../../contract/topics/sinks/sink.js'
import { SINK_FORMATS } from '../../contract/topics/sinks/sink-message.js'
import { SINK_KINDS } from '../../contract/topics/sinks/targets.js'
import { defined } from '../../kit/defined.js'
import { namePattern } from '../../kit/text/name-pattern.js'
import { BaseCommand, outputFlag, RECORD_FORMATS } from '../base-command.js'
import { Failure, wrongUsage } from '../errors/failure.js'
import { GatewayCommand } from '../gateway-command.js'
import { required, YES } from '../input/arguments.js'
import { numberFlag, switchFlag, textFlag, textsFlag } from '../input/flags.js'
import { LIST_OUTPUT_FLAGS } from '../input/list-output-flags.js'
import { REASON_FLAG } from '../input/reason-flag.js'
import type { Column } from '../output/output.js'
import { verb } from '../verb.js'
import { CLEARING_FLAGS, cleared, SINK_FLAGS, SINK_WORDS, sinkGiven } from './sink-flags.js'
import { TARGET_NAMES, targetFields, targetText } from './target-flags.js'

/** No more sinks than this exist. */
const MAX_SINKS = 50

const isPattern = (given: string): boolean => /[*?]/.test(given)

/** The sinks that names, ids and patterns mean, each once. Throws where one of them means none. */
function sinksMeant(given: readonly string[], all: readonly Sink[]): ReadonlySet<Sink> {
  const meant = given.flatMap((one) => {
    const pattern = isPattern(one) ? namePattern(one) : undefined
    const found = all.filter(({ id, name }) => id === one || name === one || pattern?.test(name))
    if (found.length > 0) return found
    throw new Problem('sink_not_found', pattern ? `No sink matches '${one}'.` : `There is no sink "${one}".`)
  })
  return new Set(meant)
}

/** The events that a sink delivers, in words. */
const filterText = ({ equipment, label_selector, types, names, messages }: Sink): string =>
  [equipment?.join(','), label_selector, types?.join(','), names?.join(','), messages?.join(',')]
    .filter(Boolean)
    .join(' ') || 'all'

abstract class SinkCommand extends GatewayCommand {
  /** The sink that a name or an id means. */
  async sinkNamed(given: string): Promise<Sink> {
    const found = (await this.allSinks()).find(({ id, name }) => given === name || given === id)
    if (!found) throw new Problem('sink_not_found', `There is no sink "${given}".`)
    return found
  }

  /** Calls the gateway for each sink that names, ids and patterns mean, and prints what they are then. */
  async changeEach(
    given: readonly string[],
    endpoint: typeof endpoints.pauseSink | typeof endpoints.resumeSink,
  ): Promise<void> {
    const chosen = sinksMeant(given, await this.allSinks())
    const changed: Sink[] = []
    const failures: unknown[] = []
    for (const { id } of chosen)
      await this.call(endpoint, { params: { id } }).then(
        (sink) => changed.push(sink),
        (error: unknown) => failures.push(error),
      )
    const [first] = changed
    if (given.length > 1 || given.some(isPattern)) await this.printList(changed, this.columns, '')
    else if (first) await this.printOne(first, this.columns)
    if (failures.length > 0) throw failures[0]
  }

  async allSinks(): Promise<readonly Sink[]> {
    return (await this.call(endpoints.listSinks, { query: { limit: MAX_SINKS } })).items
  }

  get columns(): readonly Column<Sink>[] {
    return [
      { title: 'NAME', text: ({ name }) => name },
      { title: 'ID', text: ({ id }) => id, spare: true },
      { title: 'KIND', text: ({ kind }) => kind },
      { title: 'TARGET', text: targetText },
      { title: 'EVENTS', text: filterText, spare: true },
      { title: 'STATE', text: ({ state }) => state },
      { title: 'LAG', text: ({ lag_entries }) => String(lag_entries) },
      { title: 'DELAY', text: ({ lag_seconds }) => `${Math.round(lag_seconds)} s` },
      { title: 'DEAD', text: ({ dead }) => String(dead) },
      { title: 'ERROR', text: ({ last_error }) => last_error?.detail ?? '', spare: 'empty', wraps: true },
    ]
  }

  printSink(sink: Sink): void {
    const { formatTime } = this
    const { last_error } = sink
    const again = last_error?.retry_at ? `, again ${formatTime(last_error.retry_at)}` : ''
    this.printRecord(sink, [
      ['id', sink.id],
      ['name', sink.name],
      ['kind', sink.kind],
      ['target', targetText(sink)],
      ['events', filterText(sink)],
      ['format', sink.format],
      ...(sink.webhook ? [['signed', sink.signed ? 'yes' : 'no'] as const] : []),
      ...targetFields(sink),
      ['state', sink.state],
      ['position', sink.position],
      ['lag', `${sink.lag_entries} entries, ${Math.round(sink.lag_seconds)} s`],
      ['delivered', `${sink.delivered} since the gateway started`],
      ['last delivered', sink.last_delivered_at === null ? '' : formatTime(sink.last_delivered_at)],
      ['dead letters', String(sink.dead)],
      [
        'last error',
        last_error
          ? `${last_error.detail} (attempt ${last_error.attempts}, ${formatTime(last_error.at)}${again})`
          : '',
      ],
      ['created', formatTime(sink.created_at)],
    ])
  }
}

export const sinksAdd = verb(SinkCommand, {
  summary: 'Add a sink, to which events are delivered from now on.',
  description:
    'Each event is delivered at least once, in order for each equipment; a repeated one has the same id. A secret comes from a file or standard input, and is not shown again. Needs the role admin.',
  examples: [
    'secsctl sinks add mes --webhook https://mes.example --secret-file mes.key',
    'secsctl sinks add lake --webhook https://lake.example --format flat',
    'secsctl sinks add uns --mqtt mqtt://broker --topic fab/{equipment}/{name}',
    'secsctl sinks add scada --sparkplug mqtt://broker --group fab1',
    'secsctl sinks add bus --kafka kafka-1:9092,kafka-2:9092 --topic secs',
    "secsctl sinks add etch --file etch.ndjson --equipment 'etch-*'",
  ],
  args: { name: required('Letters, digits, dots, underscores and hyphens.') },
  flags: { ...REASON_FLAG, ...SINK_FLAGS },
  words: SINK_WORDS,
  async run(on, { args, flags }) {
    if (SINK_KINDS.every((kind) => flags[kind] === undefined))
      throw wrongUsage(`a sink needs a target: ${TARGET_NAMES}`)
    const given = await sinkGiven(flags, { stdin: on.environment.stdin, now: on.clock.date() })
    const body = { ...given, name: args.name }
    await on.printOne(await on.call(endpoints.createSink, { body }), on.columns)
    on.note(`Try it: secsctl sinks test ${args.name}`)
  },
})

export const sinksList = verb(SinkCommand, {
  summary: 'List the sinks, and how much each still has to deliver.',
  description:
    'LAG is the number of journal entries that the sink has not finished; DELAY is the age of the oldest one.',
  examples: ['secsctl sinks list', 'secsctl sinks list --json'],
  flags: LIST_OUTPUT_FLAGS,
  async run(on) {
    await on.printList(await on.allSinks(), on.columns, 'No sinks yet: secsctl sinks add')
  },
})

export const sinksShow = verb(SinkCommand, {
  summary: 'Show a sink: its target, its position, its last error.',
  examples: ['secsctl sinks show mes', 'secsctl sinks show mes -o yaml'],
  args: { sink: required('Its name or id.') },
  flags: { output: outputFlag(RECORD_FORMATS) },
  async run(on, { args }) {
    const { id } = await on.sinkNamed(args.sink)
    on.printSink(await on.call(endpoints.getSink, { params: { id } }))
  },
})

export const sinksUpdate = verb(SinkCommand, {
  summary: 'Change a sink; settings that you do not give stay.',
  description: `With ${TARGET_NAMES} the target is replaced as a whole. --start moves the sink: events after that are delivered, again if need be. Needs the role admin.`,
  examples: [
    'secsctl sinks update mes --secret-file new.key',
    'secsctl sinks update mes --type alarm --no-selector',
    'secsctl sinks update lake --start 2h --reason "the lake lost them"',
  ],
  args: { sink: required('Its name or id.') },
  flags: {
    ...REASON_FLAG,
    ...SINK_FLAGS,
    ...CLEARING_FLAGS,
    rename: textFlag('NAME', 'A new name.'),
  },
  words: { ...SINK_WORDS, '/name': '--rename' },
  async run(on, { args, flags }) {
    const given = await sinkGiven(flags, { stdin: on.environment.stdin, now: on.clock.date() })
    const body = { ...given, ...cleared(flags), ...defined({ name: flags.rename }) }
    if (Object.keys(body).length === 0) throw wrongUsage('nothing to change: add a flag')
    const { id } = await on.sinkNamed(args.sink)
    await on.printOne(await on.call(endpoints.updateSink, { params: { id }, body }), on.columns)
  },
})

export const sinksPause = verb(SinkCommand, {
  summary: 'Stop the delivery of a sink; it keeps its position.',
  description:
    'Retention waits for the sink up to the limits of the daemon (--sinks-keep, --sinks-keep-size). Then it deletes events, and the sink gets a gap message for them.',
  examples: ['secsctl sinks pause mes', "secsctl sinks pause mes 'lake-*'"],
  args: {
    sink: required('Its name or id, or a pattern such as lake-*; several may follow.'),
  },
  strict: false,
  flags: REASON_FLAG,
  async run(on, { words }) {
    await on.changeEach([...words], endpoints.pauseSink)
  },
})

export const sinksResume = verb(SinkCommand, {
  summary: 'Resume a sink that is paused, or repeat a failed attempt now.',
  examples: ['secsctl sinks resume mes', "secsctl sinks resume mes 'lake-*'"],
  args: {
    sink: required('Its name or id, or a pattern such as lake-*; several may follow.'),
  },
  strict: false,
  flags: REASON_FLAG,
  async run(on, { words }) {
    await on.changeEach([...words], endpoints.resumeSink)
  },
})

export const sinksTest = verb(SinkCommand, {
  summary: 'Send a test message to the target of a sink.',
  description:
    'Sends one message of the type secsctl.test. Ends with an error if the target does not accept it.',
  examples: ['secsctl sinks test mes'],
  args: { sink: required('Its name or id.') },
  flags: REASON_FLAG,
  async run(on, { args }) {
    const { id, name } = await on.sinkNamed(args.sink)
    const result = await on.call(endpoints.testSink, { params: { id } })
    if (on.format === 'json') on.printJson(result)
    if (!result.delivered) throw new Failure('unreachable', `the target does not accept it: ${result.detail}`)
    if (on.format !== 'json') on.note(`${name} accepts messages: ${result.message.id}`)
  },
})

export const sinksDead = verb(SinkCommand, {
  summary: 'List the dead letters of a sink: what its target rejected.',
  description:
    'Oldest first. EVENT and EQUIPMENT are empty for an event that retention has removed. --json has the messages.',
  examples: ['secsctl sinks dead mes', 'secsctl sinks dead mes --limit 100 --json'],
  args: { sink: required('Its name or id.') },
  flags: {
    limit: numberFlag('So many.', { char: 'n', min: 1, max: 100, default: 20 }),
  },
  async run(on, { args, flags }) {
    const { id } = await on.sinkNamed(args.sink)
    const { limit } = flags
    const { items } = await on.call(endpoints.listDeadLetters, { params: { id }, query: { limit } })
    const columns = [
      { title: 'ID', text: (one: (typeof items)[number]) => one.id },
      { title: 'AT', text: (one: (typeof items)[number]) => on.formatTime(one.at) },
      {
        title: 'EVENT',
        text: ({ message }: (typeof items)[number]) => message?.type.replace('secsctl.', '') ?? '',
      },
      {
        title: 'EQUIPMENT',
        text: ({ message }: (typeof items)[number]) =>
          (message?.data as Partial<Event> | undefined)?.equipment_name ?? message?.subject ?? '',
      },
      { title: 'REASON', text: (one: (typeof items)[number]) => one.reason, wraps: true as const },
    ]
    await on.printList(items, columns, 'No dead letters.')
  },
})

export const sinksRetry = verb(SinkCommand, {
  summary: 'Send the dead letters of a sink again.',
  description:
    'Sends all dead letters, or those of --id. They arrive later than the events that followed them. --drop discards them instead.',
  examples: ['secsctl sinks retry mes', 'secsctl sinks retry mes --id 38 --drop'],
  args: { sink: required('Its name or id.') },
  flags: {
    ...REASON_FLAG,
    id: textsFlag('ID', 'Only the event with this id. May be repeated.'),
    drop: switchFlag('Remove them from the list instead; they are not sent.'),
  },
  async run(on, { args, flags }) {
    const { id } = await on.sinkNamed(args.sink)
    const body = { ...(flags.id && { ids: flags.id }), ...(flags.drop && { drop: true }) }
    await on.printOne(await on.call(endpoints.retryDeadLetters, { params: { id }, body }), on.columns)
  },
})

export const sinksRemove = verb(SinkCommand, {
  summary: 'Remove a sink, with its position and its dead letters.',
  examples: ['secsctl sinks remove mes --yes'],
  args: { sink: required('Its name or id.') },
  flags: { ...REASON_FLAG, yes: YES },
  async run(on, { args, flags }) {
    const { id, name } = await on.sinkNamed(args.sink)
    await on.confirmed(`Remove the sink ${name}?`, flags.yes)
    await on.call(endpoints.deleteSink, { params: { id } })
    on.printDone({ removed: id }, `removed ${name}`)
  },
})

export const sinksSchema = verb(BaseCommand, {
  summary: 'Print the JSON Schema of the messages of sinks. Offline.',
  description:
    'JSON Schema 2020-12 of the CloudEvent with an event, a gap or a test in it; it refers to nothing outside. The event alone is #/$defs/Event or #/$defs/FlatEvent.',
  examples: ['secsctl sinks schema flat > secsctl-flat.schema.json'],
  args: {
    format: Args.string({
      required: true,
      ignoreStdin: true,
      options: [...SINK_FORMATS],
      description: 'The format of the sink.',
    }),
  },
  flags: { output: outputFlag(['json']) },
  async run(on, { args }) {
    const { sinkSchema } = await import('../../daemon/schemas/sink-schema.js')
    const format = SINK_FORMATS.find((known) => known === args.format)
    if (format) on.printAsIs(JSON.stringify(sinkSchema(format), undefined, 2))
  },
})
