export interface Sample {
  readonly labels: Readonly<Record<string, string | number>>
  readonly value: number
  /** Suffix of the metric's name, such as `_bucket` in a histogram. */
  readonly suffix?: string
}

export interface Metric {
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly samples: readonly Sample[]
}

const escaped = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')

/** Metrics that were counted elsewhere in the text format of Prometheus. */
export function prometheusText(metrics: readonly Metric[]): string {
  return metrics
    .map(({ name, help, type, samples }) => {
      const lines = samples.map(({ labels, value, suffix = '' }) => {
        const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(String(text))}"`)
        return `${name}${suffix}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${value}\n`
      })
      return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`
    })
    .join('\n')
}
