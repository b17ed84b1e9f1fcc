export type Labels = Readonly<Record<string, string | number>>
/** `suffix`: of the metric's name, such as `_bucket` in a histogram. */
export type Sample = readonly [labels: Labels, value: number, suffix?: string]

export interface Metric {
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly name: string
  readonly help: string
  readonly samples: readonly Sample[]
}

export const metric = (
  type: Metric['type'],
  name: string,
  help: string,
  samples: readonly Sample[],
): Metric => ({ type, name: `secsctl_${name}`, help, samples })

/** One number without labels. */
export const single = (type: 'counter' | 'gauge', name: string, help: string, value: number): Metric =>
  metric(type, name, help, [[{}, value]])

/** Few texts have something to escape, and a scrape has a hundred of them for each equipment. */
const SPECIAL = /[\\"\n]/
const escaped = (text: string): string =>
  SPECIAL.test(text) ? text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n') : text

function labelsText(labels: Labels): string {
  let pairs = ''
  for (const label in labels)
    pairs += `${pairs === '' ? '{' : ','}${label}="${escaped(String(labels[label]))}"`
  return pairs === '' ? '' : `${pairs}}`
}

/** Metrics in the text format of Prometheus. */
export function prometheusText(metrics: readonly Metric[]): string {
  return metrics
    .map(({ name, help, type, samples }) => {
      let lines = ''
      for (const [labels, value, suffix = ''] of samples)
        lines += `${name}${suffix}${labelsText(labels)} ${value}\n`
      return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines}`
    })
    .join('\n')
}
