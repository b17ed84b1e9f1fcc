import { expect, test } from 'vitest'
import { parametersIn } from '../../src/web/equipment/actions/parameters.js'

test.each<[string, object | RegExp]>([
  ['', {}],
  ['LOTID=L1\n\n  PPID = A=B ', { LOTID: 'L1', PPID: ' A=B ' }],
  ['SLOTS:=25\nLIST:=[1,"x"]\nEMPTY=', { SLOTS: 25, LIST: [1, 'x'], EMPTY: '' }],
  ['LOTID', /"LOTID" is not NAME=VALUE/],
  ['=L1', /not NAME=VALUE/],
  ['SLOTS:=2 5', /what follows := is not JSON/],
])('the parameters %j', (text, expected) => {
  if (expected instanceof RegExp) expect(() => parametersIn(text)).toThrow(expected)
  else expect(parametersIn(text)).toEqual(expected)
})
