import { expect, test } from 'vitest'
import { definitionText } from '../../../src/cli/output/definition-text.js'

test('reports are written as a person would', () => {
  const definition = {
    reports: [{ id: 1001, variables: ['ChamberPressure', 1011] }],
    events: [{ event: 'ProcessingStarted', reports: [1001], enabled: true }],
  }
  expect(definitionText(definition)).toBe(
    [
      'reports:',
      '  - id: 1001',
      '    variables: [ChamberPressure, 1011]',
      'events:',
      '  - event: ProcessingStarted',
      '    reports: [1001]',
      '    enabled: true',
      '',
    ].join('\n'),
  )
})

test('commands are written with a parameter a line', () => {
  const commands = [{ ccode: 'RAMP', parameters: [{ F4: [950] }, { L: [{ A: 'x' }] }] }]
  expect(definitionText({ mdln: 'M', softrev: '1', commands })).toBe(
    [
      'mdln: M',
      'softrev: "1"',
      'commands:',
      '  - ccode: RAMP',
      '    parameters:',
      '      - {F4: [950]}',
      '      - {L: [{A: x}]}',
      '',
    ].join('\n'),
  )
})
