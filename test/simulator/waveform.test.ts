import { describe, expect, test } from 'vitest'
import type { WaveformParts } from '../../src/simulator/file/waveform.js'
import { mixed, seedOf, waveformOf } from '../../src/simulator/waveform.js'

const at = (parts: WaveformParts, ...times: readonly number[]): number[] => {
  const waveform = waveformOf(parts, 1)
  return times.map((time) => waveform(time, 0))
}

describe('a waveform', () => {
  test.each<[string, WaveformParts, readonly number[], readonly number[]]>([
    ['a constant stays', { constant: 7 }, [0, 1000], [7, 7]],
    ['a ramp ends where it leads', { ramp: { from: 0, to: 10, over: 5 } }, [0, 1, 5, 99], [0, 2, 10, 10]],
    ['a ramp goes down', { ramp: { from: 950, to: 600, over: 10 } }, [0, 5, 10], [950, 775, 600]],
    ['a ramp repeats', { ramp: { from: 0, to: 10, over: 5, repeat: true } }, [4, 5, 6], [8, 0, 2]],
    [
      'a sine swings round its mean',
      { sine: { mean: 100, amplitude: 2, period: 4 } },
      [0, 1, 3],
      [100, 102, 98],
    ],
    ['a sine begins at its phase', { sine: { amplitude: 1, period: 8, phase: 0.25 } }, [0, 4], [1, -1]],
    [
      'a series steps',
      {
        series: {
          points: [
            [1, 5],
            [3, 9],
          ],
        },
      },
      [0, 1, 2.9, 3, 50],
      [5, 5, 5, 9, 9],
    ],
    [
      'a series on straight lines',
      {
        series: {
          points: [
            [0, 0],
            [2, 10],
            [4, 10],
          ],
          between: 'linear',
        },
      },
      [0, 1, 2, 3, 9],
      [0, 5, 10, 10, 10],
    ],
    [
      'a series repeats at its last point',
      {
        series: {
          points: [
            [0, 1],
            [1, 2],
            [2, 3],
          ],
          repeat: true,
        },
      },
      [0, 1.5, 2, 3.2],
      [1, 2, 1, 2],
    ],
    ['what is there is added up', { constant: 1, ramp: { from: 0, to: 4, over: 4 } }, [0, 2], [1, 3]],
    [
      'the sum stays within its bounds',
      { ramp: { from: -5, to: 15, over: 10 }, minimum: 0, maximum: 10 },
      [0, 5, 10],
      [0, 5, 10],
    ],
  ])('%s', (_, parts, times, numbers) => {
    const found = at(parts, ...times)
    for (const [nth, number] of numbers.entries()) expect(found[nth]).toBeCloseTo(number, 9)
  })
})

describe('noise', () => {
  const noise = waveformOf({ noise: { mean: 50, deviation: 2, every: 1 } }, 1)
  const samples = (seed: number): number[] => Array.from({ length: 4000 }, (_, time) => noise(time, seed))

  test('is the same at the same time, and stays as long as it is told', () => {
    expect(noise(3, 9)).toBe(noise(3, 9))
    expect(noise(3.999, 9)).toBe(noise(3, 9))
    expect(noise(4, 9)).not.toBe(noise(3, 9))
  })

  test('has the mean and the deviation that it should', () => {
    const numbers = samples(9)
    const mean = numbers.reduce((sum, number) => sum + number, 0) / numbers.length
    const variance = numbers.reduce((sum, number) => sum + (number - mean) ** 2, 0) / numbers.length
    // Of 4000 samples the mean is off by 0.032 (one sigma), the deviation by 0.022.
    expect(mean).toBeCloseTo(50, 0)
    expect(Math.sqrt(variance)).toBeGreaterThan(1.85)
    expect(Math.sqrt(variance)).toBeLessThan(2.15)
  })

  test('is another for another seed, for another waveform, and from one moment to the next', () => {
    const [one, other] = [samples(1), samples(2)]
    expect(one.filter((number, nth) => number === other[nth])).toEqual([])
    expect(waveformOf({ noise: { deviation: 1 } }, 1)(0, 0)).not.toBe(
      waveformOf({ noise: { deviation: 1 } }, 2)(0, 0),
    )
    const products = one.slice(1).map((number, nth) => (number - 50) * ((one[nth] ?? 0) - 50))
    const correlation = products.reduce((sum, product) => sum + product, 0) / products.length / 4
    expect(Math.abs(correlation)).toBeLessThan(0.08)
  })

  test('with a seed of its own is the same in every waveform', () => {
    const own = { noise: { deviation: 1, seed: 5 } }
    expect(waveformOf(own, 1)(7, 3)).toBe(waveformOf(own, 2)(7, 3))
  })

  test('seeds are 32 bit numbers that lie apart', () => {
    const seeds = Array.from({ length: 1000 }, (_, at) => mixed(1, at))
    expect(new Set([...seeds, seedOf('1010/0'), seedOf('1010/1')]).size).toBe(1002)
    expect(seeds.every((seed) => Number.isInteger(seed) && seed >= 0 && seed < 2 ** 32)).toBe(true)
  })
})
