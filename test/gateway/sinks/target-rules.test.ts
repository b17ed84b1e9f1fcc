import { expect, test } from 'vitest'
import {
  type invalid,
  refuseAuthorities,
  refuseHost,
  refusePassword,
  refuseUrl,
  urlDestinations,
} from '../../../src/gateway/sinks/kinds/target-rules.js'

/** The place of what is refused; undefined where nothing is. */
function placeOf(refuse: () => void): string | undefined {
  try {
    refuse()
    return undefined
  } catch (error) {
    expect(error).toMatchObject({ code: 'invalid_request' })
    return (error as ReturnType<typeof invalid>).extra.errors?.[0]?.pointer
  }
}

test.each([
  ['https://mes.test/hook?a=1', undefined],
  ['http://10.0.0.7:8080', undefined],
  ['ftp://mes.test', '/t/url'],
  ['mes.test', '/t/url'],
  ['http://', '/t/url'],
  ['https://ada@mes.test', '/t/url'],
  ['https://:secret@mes.test', '/t/url'],
  ['https://mes.test/hook?...', '/t/url'],
  ['http://localhost/', '/t/url'],
  ['http://127.0.0.1/', '/t/url'],
])('the URL %s has its fault at %s', (url, place) => {
  const world = { localTargets: false }
  expect(placeOf(() => refuseUrl('/t', { url }, ['http:', 'https:'], world))).toBe(place)
})

test.each(['localhost', '127.0.0.1', '::1'])('a daemon that may reach itself accepts the host %s', (host) => {
  expect(placeOf(() => refuseHost('/h', host, { localTargets: false }))).toBe('/h')
  expect(placeOf(() => refuseHost('/h', host, { localTargets: true }))).toBeUndefined()
})

test('authorities are certificates', () => {
  const world = { localTargets: true }
  expect(placeOf(() => refuseAuthorities('/t', 'no PEM'))).toBe('/t/ca')
  expect(placeOf(() => refuseAuthorities('/t', undefined))).toBeUndefined()
  expect(placeOf(() => refuseUrl('/t', { url: 'http://mes.test', ca: '' }, ['http:'], world))).toBe('/t/ca')
})

test('a password is of a user', () => {
  expect(placeOf(() => refusePassword('mqtt')('pw', {}))).toBe('/secret')
  expect(placeOf(() => refusePassword('mqtt')('pw', { user: '' }))).toBeUndefined()
})

test.each([
  ['mqtt://b.test', 'mqtt://b.test:1883'],
  ['mqtts://b.test', 'mqtts://b.test:8883'],
  ['mqtts://b.test:1883/x?y', 'mqtts://b.test:1883'],
])('%s goes to %s', (url, destination) => {
  expect(urlDestinations({ url })).toEqual([destination])
})
