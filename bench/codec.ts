// How fast bodies are read and written: this codec and secs4js side by side, from plain values and to them.
import { cpus } from 'node:os'
import { Secs2ItemParser } from 'secs4js'
import { decodeItem } from '../src/secs2/decode.js'
import { encodeItem } from '../src/secs2/encode.js'
import { CASES, type Case, OURS, THEIRS } from './codec-cases.js'
import { type Contender, rates } from './rate.js'

const three = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 })

/** Messages and megabytes a second. */
const speed = (rate: number, bytes: number): string =>
  `${three.format(rate).padStart(11)} /s ${three.format((rate * bytes) / 1e6).padStart(7)} MB/s`

const row = (name: string, what: string, ours: string, theirs: string, ratio: string): string =>
  [name.padEnd(40), what.padEnd(6), ours.padStart(27), theirs.padStart(27), ratio.padStart(7)].join(' ')

/** The same bytes from both, or they are not doing the same. */
function bytesOfCase({ name, make }: Case): Buffer {
  const ours = Buffer.from(encodeItem(make(OURS)))
  if (!ours.equals(make(THEIRS).toBuffer())) throw new Error(`${name}: not the same bytes`)
  return ours
}

function contenders({ make }: Case, bytes: Buffer): readonly Contender[] {
  return [
    { name: 'our decode', run: () => decodeItem(bytes) },
    { name: 'their decode', run: () => Secs2ItemParser.fromBuffer(bytes) },
    { name: 'our encode', run: () => encodeItem(make(OURS)) },
    { name: 'their encode', run: () => make(THEIRS).toBuffer() },
  ]
}

console.log(`${cpus()[0]?.model}, ${cpus().length} cores, Node ${process.version}`)
console.log('Messages and megabytes a second of the processor, from plain values and to plain values.')
console.log(row('', '', 'secsctl', 'secs4js', 'ratio'))
const wanted = process.argv[2] ?? ''
for (const one of CASES.filter(({ name }) => name.includes(wanted))) {
  const bytes = bytesOfCase(one)
  const { length } = bytes
  const found = rates(contenders(one, bytes), one.large ? 3 : 7)
  for (const direction of ['decode', 'encode']) {
    const ours = found.get(`our ${direction}`) ?? Number.NaN
    const theirs = found.get(`their ${direction}`) ?? Number.NaN
    const name = direction === 'decode' ? one.name : `  ${length.toLocaleString('en')} bytes`
    console.log(
      row(name, direction, speed(ours, length), speed(theirs, length), `${three.format(ours / theirs)}x`),
    )
  }
}
