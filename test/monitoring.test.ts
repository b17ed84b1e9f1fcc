import { readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { FIRST_CERTIFICATE } from './support/certificates.js'
import { NO_TRAFFIC, ServedGateway } from './support/served-gateway.js'

// What docs/monitoring has for Prometheus and Grafana, compared with what a gateway serves at /metrics.
// test/system/monitoring.test.ts gives it to Prometheus itself.

interface Rule {
  readonly alert: string
  readonly expr: string
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
}
interface AlertTest {
  readonly input_series: readonly { readonly series: string }[]
}
interface Target {
  readonly expr: string
}
interface Panel {
  readonly id: number
  readonly type: string
  readonly title: string
  readonly targets?: readonly Target[]
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number }
}
interface Dashboard {
  readonly panels: readonly Panel[]
  readonly templating: { readonly list: readonly { readonly name: string; readonly definition?: string }[] }
}

const read = (file: string): string => readFileSync(`docs/${file}`, 'utf8')
const page = read('monitoring.md')
const { groups } = parse(read('monitoring/alerts.yaml')) as { groups: { rules: Rule[] }[] }
const rules = groups.flatMap((group) => group.rules)
const alertTests = read('monitoring/alerts.test.yaml')
const dashboard = JSON.parse(read('monitoring/dashboard.json')) as Dashboard
const definitions = dashboard.templating.list.flatMap(({ definition = [] }) => definition)
const targets = dashboard.panels.flatMap(({ title, targets = [] }) =>
  targets.map(({ expr }) => [title, expr] as const),
)

/** Names of metrics, each with the names of the labels that its samples have; none where it has no sample. */
const served = new Map<string, Set<string>>([['up', new Set()]])

beforeAll(async () => {
  const gateway = new ServedGateway()
  gateway.counted = {
    ...NO_TRAFFIC,
    timeouts: [{ timer: 't3', count: 5 }],
    round_trip: { count: 1, sum: 1, buckets: [{ le: null, count: 1 }] },
  }
  const facts = {
    disk: async () => ({ free: 5, size: 7 }),
    certificate: () => FIRST_CERTIFICATE,
    backup: async () => 0,
  }
  const app = await gateway.app({ facts })
  await gateway.sinks.create({ name: 'mes', file: { file: 'events.ndjson' } })
  await app.inject('/healthz')
  const { body } = await app.inject('/metrics')
  await app.close()
  for (const [, name = ''] of body.matchAll(/^# TYPE (\S+)/gm)) served.set(name, new Set())
  for (const [, name = '', labels = ''] of body.matchAll(/^(\w+)(?:\{(.*)\})? /gm)) {
    const names = [...labels.matchAll(/(\w+)="/g)].map(([, label = '']) => label)
    served.set(name, new Set([...(served.get(name) ?? []), ...names]))
  }
})

/** Metrics in a text: words that Prometheus could take for one and that are no function, label or keyword here. */
const metricsIn = (text: string): string[] =>
  [...text.matchAll(/\b(?:secsctl|nodejs|process)_\w+|\bup\b(?=\{)/g)].map(([name]) => name)

const unknown = (texts: readonly string[]): string[] =>
  texts.flatMap(metricsIn).filter((name) => !served.has(name))

test('every metric of the alerts, of the dashboard and of the page is served', () => {
  expect(unknown(rules.map(({ expr }) => expr))).toEqual([])
  expect(unknown([...targets.map(([, expr]) => expr), ...definitions])).toEqual([])
  expect(unknown([page])).toEqual([])
  expect(unknown(['secsctl_no_such_metric{a="b"} and up{job="x"}'])).toEqual(['secsctl_no_such_metric'])
  expect(metricsIn(targets.map(([, expr]) => expr).join(' ')).length).toBeGreaterThan(30)
})

test('the series of the tests of the alerts have the labels that a gateway gives them', () => {
  const { tests } = parse(alertTests) as { tests: AlertTest[] }
  // What Prometheus adds, and labels that an operator gives.
  const isOther = (label: string): boolean => /^(instance|job|label_.*)$/.test(label)
  for (const { series } of tests.flatMap(({ input_series }) => input_series)) {
    const [, name = '', labels = ''] = /^(\w+)\{(.*)\}$/.exec(series) ?? []
    const given = [...labels.matchAll(/(\w+)="/g)].map(([, label = '']) => label)
    expect(new Set(given.filter((label) => !isOther(label))), series).toEqual(served.get(name))
  }
})

test.each(rules)('$alert is tested, documented, and says what to type', ({ alert, labels, annotations }) => {
  expect(alertTests).toContain(
    `ALERTS{alertname="${alert}", alertstate="firing", severity="${labels['severity']}"`,
  )
  expect(page).toMatch(new RegExp(`^\\| \`${alert}\` \\| ${labels['severity']} \\|`, 'm'))
  expect(Object.keys(annotations).sort()).toEqual(['description', 'runbook', 'summary'])
  const [, typed = ''] =
    new RegExp(`^\\| \`${alert}\` .*\\| \`(secsctl [a-z]+[^\`]*)\``, 'm').exec(page) ?? []
  const [first = ''] = typed.replace(/ (etch-1|mes|t3).*/, '').split(' --')
  expect(annotations['runbook']).toContain(first)
})

test('the dashboard names only alerts that there are', () => {
  const named = [...JSON.stringify(dashboard).matchAll(/Secsctl[A-Z]\w+/g)].map(([name]) => name)
  expect(new Set(named).size).toBeGreaterThan(10)
  expect(named.filter((name) => !rules.some(({ alert }) => alert === name))).toEqual([])
})

test('panels have ids of their own, do not overlap, and fill rows of 24 columns at most', () => {
  const { panels } = dashboard
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, at) => `${x + (at % w)} ${y + Math.floor(at / w)}`),
  )
  expect(new Set(cells).size).toBe(cells.length)
  expect(panels.filter(({ gridPos: { x, w } }) => x + w > 24)).toEqual([])
  expect(JSON.stringify(panels)).not.toMatch(
    /"datasource":(?!\{"type":"prometheus","uid":"\$\{datasource\}"\})/,
  )
})
