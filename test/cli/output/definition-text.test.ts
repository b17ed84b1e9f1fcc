import { expect, test } from 'vitest'
import { definitionText, documentText } from '../../../src/cli/output/definition-text.js'

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

test('texts that YAML 1.1 reads as something else are in quotes', () => {
  const texts = ['yes', 'No', 'on', 'y', '12:30:45', '1_000', '2026-01-01']
  expect(documentText({ texts })).toBe(`texts: [ ${texts.map((text) => `"${text}"`).join(', ')} ]\n`)
})
