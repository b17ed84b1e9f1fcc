import { endpoints } from '../../contract/endpoints.js'
import { Problem } from '../../contract/errors.js'
import type { Sink } from '../../contract/topics/sinks/sink.js'
import { namePattern } from '../../kit/text/name-pattern.js'
import { GatewayCommand } from '../gateway-command.js'
import type { Column } from '../output/output.js'
import { targetFields, targetText } from './target-flags.js'

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
const filterText = ({ equipment, label_selector, types, names }: Sink): string =>
  [equipment?.join(','), label_selector, types?.join(','), names?.join(',')].filter(Boolean).join(' ') ||
  'all'

export abstract class SinkCommand extends GatewayCommand {
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
