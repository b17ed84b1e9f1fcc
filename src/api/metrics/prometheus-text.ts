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

const escaped = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')

/** Metrics in the text format of Prometheus. */
export function prometheusText(metrics: readonly Metric[]): string {
  return metrics
    .map(({ name, help, type, samples }) => {
      const lines = samples.map(([labels, value, suffix = '']) => {
        const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(String(text))}"`)
        return `${name}${suffix}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${value}\n`
      })
      return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`
    })
    .join('\n')
}
