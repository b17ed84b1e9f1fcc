import { describe, expect, test } from 'vitest'
import { describeMessage } from '../../src/catalogue/description/message-description.js'
import { extend, type Json, message, problems } from './site-file.js'

describe('the answer to a site’s primary', () => {
  const acknowledge = message({ function: 2, w_bit: undefined, structure: '<L <ACKC6> <TEXT>>' })
  const asked = (changes: Json): Json => ({
    messages: [message({ direction: 'equipment', w_bit: 'optional', ...changes }), acknowledge],
  })

  test('is kept with it, and told', () => {
    const answer = { ACKC6: 0, TEXT: 'noted' }
    const own = extend(asked({ answer }))
    expect(own.find(65, 1, 'equipment')?.answer).toEqual(answer)
    expect(describeMessage(own, 65, 1)).toMatchObject({ forms: [{ answer }] })
  })

  test('may be a message without items', () => {
    const own = {
      messages: [
        message({ direction: 'both', w_bit: 'required', answer: {} }),
        message({ function: 2, direction: 'both', w_bit: undefined, structure: '' }),
      ],
    }
    expect(problems(own)).toEqual([])
  })

  test.each<[Json, string, string]>([
    [
      { answer: 'yes' },
      '',
      '"yes" is not an object of named items for the secondary, such as {"ACKC5": "0"}',
    ],
    [{ answer: { ACKC6: '0' } }, '/TEXT', 'TEXT is missing'],
    [{ answer: { ACKC6: 'no', TEXT: '' } }, '/ACKC6', 'ACKC6 "no" is no integer, as U1 wants'],
    [{ answer: { ACKC6: 0, TEXT: '', X: 1 } }, '/X', 'X is not known here: there is ACKC6, TEXT'],
    [{ answer: { ACKC6: 0, TEXT: 'é' } }, '/TEXT', 'TEXT the character U+00E9 cannot be written in ascii'],
    [{ answer: {}, direction: 'host' }, '', 'the equipment replies to what the host sends'],
    [{ answer: {}, w_bit: 'forbidden' }, '', 'no reply is wanted'],
    [{ answer: {}, stream: 9 }, '', 'error messages never get a reply'],
    [{ answer: {}, stream: 1, function: 13 }, '', 'the communication state decides the reply to S1F13'],
  ])('of %j is wrong', (changes, place, detail) => {
    const found = problems(asked(changes)).filter(([pointer]) => pointer.startsWith('/messages/0/answer'))
    expect(found).toEqual([[`/messages/0/answer${place}`, detail]])
  })

  test('has no place with a secondary', () => {
    const { messages } = asked({}) as { messages: Json[] }
    expect(problems({ messages: [messages[0], { ...acknowledge, answer: {} }] })).toEqual([
      ['/messages/1/answer', 'a secondary gets no reply'],
    ])
  })

  test('is looked at once the structures are right', () => {
    const broken = { ...acknowledge, structure: '<L <NONE> <L>' }
    const { messages } = asked({ answer: { NONE: 1 } }) as { messages: Json[] }
    expect(problems({ messages: [messages[0], broken] })).toEqual([
      ['/messages/1/structure', '"<", "(" or ">" expected, but the text ends'],
    ])
  })

  test('is missed only once where the host has no such secondary', () => {
    expect(
      problems({ messages: [message({ direction: 'equipment', w_bit: 'optional', answer: {} })] }),
    ).toEqual([['/messages/0/function', 'a reply is expected, but no S65F2 of the host is known']])
  })
})
