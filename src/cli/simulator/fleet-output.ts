import type { FleetFigures } from '../../simulator/fleet-count.js'

const count = (number: number): string => number.toLocaleString('en-US')
const time = (milliseconds: number | null): string => (milliseconds === null ? '-' : `${milliseconds} ms`)

export function fleetLine(figures: FleetFigures): string {
  const { elapsed_s, equipment, selected, sent_per_second, acknowledged_per_second, p50_ms, p99_ms } = figures
  return [
    `${Math.round(elapsed_s)} s`,
    `${count(selected)} of ${count(equipment)} selected`,
    `sent ${sent_per_second}/s`,
    `acknowledged ${acknowledged_per_second}/s`,
    `p50 ${time(p50_ms)}`,
    `p99 ${time(p99_ms)}`,
    `${count(figures.open)} open`,
    `${count(figures.unacknowledged)} not acknowledged`,
  ].join(', ')
}

export const fleetSummary = (figures: FleetFigures): readonly (readonly [string, string])[] => [
  ['equipment', count(figures.equipment)],
  ['sent', count(figures.sent)],
  ['acknowledged', count(figures.acknowledged)],
  ['not acknowledged', count(figures.unacknowledged + figures.open)],
  ['median', time(figures.overall_p50_ms)],
  ['99th percentile', time(figures.overall_p99_ms)],
]
