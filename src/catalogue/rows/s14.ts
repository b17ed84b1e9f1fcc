import { both, equipment, host, stream } from '../message-row.js'

const ATTRIBUTES = '<L ATTRIBUTES... <L <ATTRID> <ATTRDATA>>>'
const OBJECTS = `<L OBJECTS... <L <OBJID> ${ATTRIBUTES}>>`
const PARAMS = '<L PARAMS... <L <SPNAME> <SPVAL>>>'
const ERRORS = '<L ERRORS... <L <ERRCODE> <ERRTEXT>>>'
const RESULT = `<L <OBJACK> ${ERRORS}>`

/** Stream 14: object services (SEMI E39); control jobs (SEMI E94) and substrates (SEMI E90) are objects. */
export const STREAM_14 = stream(
  { 'hume, ifab': 'F1 F3-F5 F7', hume: 'F2 F21-F28', 'bee, hume': 'F6 F8-F19', bee: 'F20' },
  both(
    'S14F1 W',
    'GetAttr Request',
    [
      '<L <OBJSPEC> <OBJTYPE> <L <OBJID>...>',
      '<L FILTERS... <L <ATTRID> <ATTRDATA> <ATTRRELN>>> <L <ATTRID>...>>',
    ].join(' '),
  ),
  both('S14F2', 'GetAttr Data', `<L ${OBJECTS} ${RESULT}>`),
  both('S14F3 W', 'SetAttr Request', `<L <OBJSPEC> <OBJTYPE> <L <OBJID>...> ${ATTRIBUTES}>`),
  both('S14F4', 'SetAttr Data', `<L ${OBJECTS} ${RESULT}>`),
  both('S14F5 W', 'GetType Request', '<OBJSPEC>'),
  both('S14F6', 'GetType Data', `<L <L <OBJTYPE>...> ${RESULT}>`),
  both('S14F7 W', 'GetAttrName Request', '<L <OBJSPEC> <L <OBJTYPE>...>>'),
  both('S14F8', 'GetAttrName Data', `<L <L TYPES... <L <OBJTYPE> <L <ATTRID>...>>> ${RESULT}>`),
  both('S14F9 W', 'Create Object Request', `<L <OBJSPEC> <OBJTYPE> ${ATTRIBUTES}>`),
  both('S14F10', 'Create Object Acknowledge', `<L <OBJSPEC> ${ATTRIBUTES} ${RESULT}>`),
  both('S14F11 W', 'Delete Object Request', `<L <OBJSPEC> ${ATTRIBUTES}>`),
  both('S14F12', 'Delete Object Acknowledge', `<L ${ATTRIBUTES} ${RESULT}>`),
  both('S14F13 W', 'Object Attach Request', `<L <OBJSPEC> ${ATTRIBUTES}>`),
  both('S14F14', 'Object Attach Acknowledge', `<L <OBJTOKEN> ${ATTRIBUTES} ${RESULT}>`),
  both('S14F15 W', 'Attached Object Action Request', `<L <OBJSPEC> <OBJCMD> <OBJTOKEN> ${ATTRIBUTES}>`),
  both('S14F16', 'Attached Object Action Acknowledge', `<L ${ATTRIBUTES} ${RESULT}>`),
  both('S14F17 W', 'Supervised Object Action Request', `<L <OBJSPEC> <OBJCMD> <TARGETSPEC> ${ATTRIBUTES}>`),
  both('S14F18', 'Supervised Object Action Acknowledge', `<L ${ATTRIBUTES} ${RESULT}>`),
  host('S14F19 W', 'Generic Service Request', `<L <DATAID> <OPID> <OBJSPEC> <SVCNAME> ${PARAMS}>`),
  equipment('S14F20', 'Generic Service Acknowledge', `<L <SVCACK> <LINKID> ${PARAMS} ${RESULT}>`),
  both('S14F21 W', 'Generic Service Completion', [
    `<L <DATAID> <OPID> <LINKID> ${PARAMS} <L <SVCACK> ${ERRORS}>>`,
  ]),
  both('S14F22', 'Generic Service Completion Acknowledge', '<DATAACK>'),
  both('S14F23 W', 'Multi-block Generic Service Inquire', '<L <DATAID> <DATALENGTH>>'),
  both('S14F24', 'Multi-block Generic Service Grant', '<GRANT>'),
  both('S14F25 W', 'Service Name Request', '<L <OBJSPEC> <L <OBJTYPE>...>>'),
  both('S14F26', 'Service Name Data', `<L <L TYPES... <L <OBJTYPE> <L <SVCNAME>...>>> ${RESULT}>`),
  both('S14F27 W', 'Service Parameter Name Request', '<L <OBJSPEC> <OBJTYPE> <L <SVCNAME>...>>'),
  both('S14F28', 'Service Parameter Name Data', [
    `<L <L SERVICES... <L <SVCNAME> <L <SPNAME>...>>> ${RESULT}>`,
  ]),
)
