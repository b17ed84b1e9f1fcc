import { Type } from 'typebox'
import { Amount, Count, closed, oneOf, Seconds, Truth } from './parts.js'

const MIN_SECONDS = 0.001
const MAX_POINTS = 100_000

const Ramp = closed(
  {
    from: Amount('Where it begins.'),
    to: Amount('Where it ends.'),
    over: Seconds('How long that takes.', MIN_SECONDS),
    repeat: Type.Optional(Truth('Whether it then begins again; it stays when left out.')),
  },
  'From one number to another on a straight line.',
)

const Sine = closed(
  {
    mean: Type.Optional(Amount('The middle; 0 when left out.')),
    amplitude: Amount('From the middle to the top.'),
    period: Seconds('From top to top.', MIN_SECONDS),
    phase: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1,
        description: 'The part of a period that is over at the beginning, 0 to 1; 0 when left out.',
      }),
    ),
  },
  'Up and down.',
)

const Noise = closed(
  {
    mean: Type.Optional(Amount('The middle; 0 when left out.')),
    deviation: Type.Number({ minimum: 0, description: 'The standard deviation. A number from 0 up.' }),
    seed: Type.Optional(
      Count('The same seed gives the same noise; one of its own when left out.', 0, 4_294_967_295),
    ),
    every: Type.Optional(Seconds('How long one number stays; 0.1 when left out.', MIN_SECONDS)),
  },
  'Normally distributed noise.',
)

const Point = Type.Unsafe<readonly [number, number]>({
  type: 'array',
  items: { type: 'number' },
  minItems: 2,
  maxItems: 2,
  description: 'A point [seconds, number].',
})

const Series = closed(
  {
    points: Type.Array(Point, {
      minItems: 1,
      maxItems: MAX_POINTS,
      description: `Points [seconds, number] in order of time, 1 to ${MAX_POINTS}.`,
    }),
    between: Type.Optional(
      oneOf(['step', 'linear'], 'What is between two points: the first one, or a line. step when left out.'),
    ),
    repeat: Type.Optional(Truth('Whether it begins again at the last point; it stays when left out.')),
  },
  'What was recorded.',
)

/** What a variable follows: the sum of what is there. */
export const WaveformEntry = closed(
  {
    while: Type.Optional(
      Type.Unsafe<string | readonly string[]>({
        anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 256 }],
        description:
          'A processing state, or a list of several: it is followed while in one of them, from entering it on. Always when left out.',
      }),
    ),
    constant: Type.Optional(Amount('A number that stays.')),
    ramp: Type.Optional(Ramp),
    sine: Type.Optional(Sine),
    noise: Type.Optional(Noise),
    series: Type.Optional(Series),
    minimum: Type.Optional(Amount('The sum is not less.')),
    maximum: Type.Optional(Amount('The sum is not more.')),
  },
  'Functions of time: constant, ramp, sine, noise and series are added up.',
)
