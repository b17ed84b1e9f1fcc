import { expect, test } from 'vitest'
import {
  TOPIC_PLACEHOLDERS,
  templateFault,
  topicOf,
} from '../../../src/gateway/sinks/kinds/mqtt/topic-template.js'

test.each([
  ['secsctl/{equipment}/{name}', undefined],
  ['{label.bay}/{label.a-b.c}', undefined],
  ['fab/{tool}', 'has the unknown placeholder {tool}'],
  ['fab/{event}', 'has the unknown placeholder {event}'],
  ['fab/{}', 'has the unknown placeholder {}'],
  ['fab/{name', 'has a brace that is not part of a placeholder'],
  ['fab/{{name}}', 'has a brace that is not part of a placeholder'],
  ['fab/+/x', 'has a +, a # or a control character'],
  ['fab/#', 'has a +, a # or a control character'],
  ['fab/\u0000', 'has a +, a # or a control character'],
  ['$SYS/x', 'begins with $, as topics of the broker do'],
])('%s', (template, fault) => {
  expect(templateFault(template, TOPIC_PLACEHOLDERS.topic)).toBe(fault)
})

test('a label is no placeholder of a topic that is about no equipment', () => {
  expect(templateFault('{label.bay}', TOPIC_PLACEHOLDERS.status_topic)).toContain('unknown')
})

test('a value is one level of the topic', () => {
  const equipment = { id: 'eq_a', name: 'bay/3 + #1\ud800', labels: { bay: '3', toString: '' } }
  const subject = { sink: 'mes', name: 'gap', equipment }
  expect(topicOf('{equipment}/{label.bay}/{label.none}/{label.toString}/{type}/{name}', subject)).toBe(
    'bay%2F3 %2B %231%ED%A0%80/3/_/_/_/gap',
  )
})

const LABELS = { labels: { bay: '_' } }
const EVENT = { type: 'alarm', equipment_id: 'eq_e', equipment_name: 'old' }

test.each<[template: string, subject: object, topic: string]>([
  ['{sink}/{equipment}/{equipment_id}', {}, 'mes/_/_'],
  ['{equipment}/{equipment_id}/{type}', { event: EVENT }, 'old/eq_e/alarm'],
  ['{equipment}/{equipment_id}', { event: EVENT, equipment: { id: 'eq_a', name: 'a', ...LABELS } }, 'a/eq_a'],
  ['{label.bay}/{label.}', { equipment: { id: 'eq_a', name: 'a', ...LABELS } }, '%5F/_'],
  [
    '{message}/{event}',
    { event: { ...EVENT, message: 'S6F11', event: 'Start/1', values: {} } },
    'S6F11/Start%2F1',
  ],
  ['{message}/{event}', { event: { ...EVENT, message: 'S6F11', event: 'x' } }, '_/_'],
  ['{name}{type}', { name: '' }, '__'],
])('%s of %j is %s', (template, subject, topic) => {
  expect(topicOf(template, { sink: 'mes', ...subject } as never)).toBe(topic)
})

test('in flat messages every placeholder has a place', () => {
  expect(templateFault('{message}/{event}/{type}/{label.x}')).toBeUndefined()
  expect(templateFault('{label.}')).toContain('unknown')
  expect(templateFault('{xlabel.a}')).toContain('unknown')
})
