import { type Static, Type } from 'typebox'
import { Amount, Count, closed, list, oneOf, Seconds, Truth } from './parts.js'

const MIN_SECONDS = 0.001
const MAX_POINTS = 100_000

const Ramp = closed('From one number to another on a straight line.', ['from', 'to', 'over'], {
  from: Amount('The first number.'),
  to: Amount('The last number.'),
  over: Seconds('The time from the first to the last number.', MIN_SECONDS),
  repeat: Truth('Whether it then begins again; false when left out: the last number stays.'),
})

const Sine = closed('A sine.', ['amplitude', 'period'], {
  mean: Amount('The mean; 0 when left out.'),
  amplitude: Amount('From the mean to the maximum.'),
  period: Seconds('The time of one oscillation.', MIN_SECONDS),
  phase: Amount('The part of a period that is over at the beginning; 0 when left out.', 0, 1),
})

const Noise = closed('Normally distributed noise.', ['deviation'], {
  mean: Amount('The mean; 0 when left out.'),
  deviation: Amount('The standard deviation.', 0),
  seed: Count(
    'The same seed gives the same noise; a different one for each variable when left out.',
    0,
    4_294_967_295,
  ),
  every: Seconds('How long each number stays; 0.1 when left out.', MIN_SECONDS),
})

const Point = Type.Unsafe<readonly [number, number]>({
  type: 'array',
  items: { type: 'number' },
  minItems: 2,
  maxItems: 2,
  description: 'A point [seconds, number].',
})

const Series = closed('Recorded numbers.', ['points'], {
  points: list(Point, 'Points [seconds, number] in order of time.', MAX_POINTS, 1),
  between: oneOf(
    ['step', 'linear'],
    'Between two points: the number of the first, or a straight line. step when left out.',
  ),
  repeat: Truth('Whether it begins again at the last point; false when left out: the last number stays.'),
})

/** A waveform: the sum of the functions in it. */
export const WaveformEntry = closed(
  'Functions of time: constant, ramp, sine, noise and series are added up.',
  [],
  {
    while: Type.Unsafe<string | readonly string[]>({
      anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 256 }],
      description:
        'A processing state, or a list of states: the waveform applies while in one of them, and its time begins when that is entered. Always when left out.',
    }),
    constant: Amount('A constant number.'),
    ramp: Ramp,
    sine: Sine,
    noise: Noise,
    series: Series,
    minimum: Amount('The sum is not less than this.'),
    maximum: Amount('The sum is not more than this.'),
  },
)
export type WaveformParts = Omit<Static<typeof WaveformEntry>, 'while'>
