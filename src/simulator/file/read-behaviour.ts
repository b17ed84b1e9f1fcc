import { formatOf, numberIn, valueAs } from '../../gem/typed-value.js'
import type { AlarmRule, CommandEffect, Condition, Process, VariableWaveforms } from '../model.js'
import { seedOf, waveformOf } from '../waveform.js'
import { milliseconds, optionalMilliseconds, type Reading } from './reading.js'

export function readProcess(reading: Reading): Process | undefined {
  const { process } = reading.file
  if (!process) return undefined
  reading.state(process.initial, '/process/initial')
  const shown = reading.settable(process.variable, '/process/variable')
  if (shown && process.states.some(({ code }) => valueAs(formatOf(shown.value), code) === undefined)) {
    reading.note('/process/variable', "this variable cannot show the states' codes")
  }
  return {
    variable: shown?.id ?? '',
    initial: process.initial,
    states: process.states.map(({ name, code, lasts, ...entry }, at) => {
      const pointer = `/process/states/${at}`
      if ((lasts === undefined) !== (entry.next === undefined)) {
        reading.note(pointer, '`lasts` and `next` go together')
      }
      const counts = reading.settable(entry.counts, `${pointer}/counts`)
      if (counts && numberIn(counts.value) === undefined) {
        reading.note(`${pointer}/counts`, `${counts.name} is no number`)
      }
      return {
        name,
        code,
        lasts: optionalMilliseconds(lasts),
        next: reading.state(entry.next, `${pointer}/next`),
        event: reading.event(entry.event, `${pointer}/event`),
        counts: counts?.id,
        holds: reading.state(entry.holds, `${pointer}/holds`),
      }
    }),
  }
}

export const readEffects = (reading: Reading): readonly CommandEffect[] =>
  (reading.file.commands ?? []).map(({ name, from, to, event }, at) => {
    for (const [nth, state] of (from ?? []).entries()) reading.state(state, `/commands/${at}/from/${nth}`)
    return {
      command: name,
      from,
      to: reading.state(to, `/commands/${at}/to`),
      event: reading.event(event, `/commands/${at}/event`),
    }
  })

export const readAlarmRules = (reading: Reading): readonly AlarmRule[] =>
  (reading.file.incidents ?? []).map((entry, at) => {
    const pointer = `/incidents/${at}`
    if ((entry.on === undefined) === (entry.when === undefined)) {
      reading.note(pointer, 'it has one of `on` and `when`')
    }
    if (entry.clear_after !== undefined && entry.clear_on !== undefined) {
      reading.note(pointer, 'it has at most one of `clear_after` and `clear_on`')
    }
    return {
      on: reading.event(entry.on, `${pointer}/on`),
      when: readCondition(reading, at),
      probability: entry.probability ?? 1,
      after: milliseconds(entry.after ?? 0),
      clearAfter: optionalMilliseconds(entry.clear_after),
      clearOn: reading.event(entry.clear_on, `${pointer}/clear_on`),
      alarm: reading.alarms.find(entry.alarm, `${pointer}/alarm`) ?? '',
      to: reading.state(entry.to, `${pointer}/to`),
      times: entry.times,
      sets: reading.settings(entry.sets ?? {}, `${pointer}/sets`),
    }
  })

function readCondition(reading: Reading, at: number): Condition | undefined {
  const when = reading.file.incidents?.[at]?.when
  if (!when) return undefined
  const pointer = `/incidents/${at}/when`
  const { above, below, equals, hysteresis } = when
  const variable = reading.variables.find(when.variable, `${pointer}/variable`) ?? ''
  if ([above, below, equals].filter((bound) => bound !== undefined).length !== 1) {
    reading.note(pointer, 'it has one of `above`, `below` and `equals`')
  }
  if (hysteresis !== undefined && equals !== undefined) {
    reading.note(`${pointer}/hysteresis`, '`equals` has no hysteresis')
  }
  return { variable, above, below, equals, for: milliseconds(when.for ?? 0), hysteresis: hysteresis ?? 0 }
}

/** The waveforms of variables, by id. */
export function readWaveforms(reading: Reading): ReadonlyMap<string, VariableWaveforms> {
  const waveforms = new Map<string, VariableWaveforms>()
  for (const [at, { id, follows, source }] of (reading.file.variables ?? []).entries()) {
    if (!follows) continue
    const pointer = `/variables/${at}/follows`
    const value = reading.valueOf(String(id))
    if (source !== undefined || numberIn(value) === undefined) {
      reading.note(
        pointer,
        'only a variable of one number that the equipment does not keep itself follows a waveform',
      )
    }
    const phases = follows.map(({ while: states, ...parts }, nth) => {
      const place = `${pointer}/${nth}`
      const { minimum = -Infinity, maximum = Infinity, ...terms } = parts
      if (Object.keys(terms).length === 0)
        reading.note(place, 'it has none of constant, ramp, sine, noise and series')
      if (minimum > maximum) reading.note(`${place}/minimum`, '`minimum` is above `maximum`')
      if (parts.series?.points.some(([time], point, all) => time < (all[point - 1]?.[0] ?? 0))) {
        reading.note(`${place}/series/points`, 'the points are not in order of time, from 0 up')
      }
      const named = states === undefined ? undefined : [states].flat()
      for (const state of named ?? []) reading.state(state, `${place}/while`)
      return { while: named, waveform: waveformOf(parts, seedOf(`${id}/${nth}`)) }
    })
    waveforms.set(String(id), { format: formatOf(value), phases })
  }
  return waveforms
}
