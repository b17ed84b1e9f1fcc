import { primary, secondary } from '../message-row.js'

const ATTRIBUTES = '<L ATTRIBUTES... <L <ATTRID> <ATTRDATA>>>'
const OBJECTS = `<L OBJECTS... <L <OBJID> ${ATTRIBUTES}>>`
const PARAMS = '<L PARAMS... <L <SPNAME> <SPVAL>>>'
const ERRORS = '<L ERRORS... <L <ERRCODE> <ERRTEXT>>>'
const RESULT = `<L <OBJACK> ${ERRORS}>`

/** Stream 14: object services (SEMI E39); control jobs (SEMI E94) and substrates (SEMI E90) are objects. */
export const STREAM_14 = [
  primary(14, 1, 'GetAttr Request', 'both', 'required', {
    structure: [
      '<L <OBJSPEC> <OBJTYPE> <L <OBJID>...>',
      '<L FILTERS... <L <ATTRID> <ATTRDATA> <ATTRRELN>>> <L <ATTRID>...>>',
    ].join(' '),
    source: 'hume',
    confirmedBy: ['ifab'],
  }),
  secondary(14, 2, 'GetAttr Data', 'both', { structure: `<L ${OBJECTS} ${RESULT}>`, source: 'hume' }),
  primary(14, 3, 'SetAttr Request', 'both', 'required', {
    structure: `<L <OBJSPEC> <OBJTYPE> <L <OBJID>...> ${ATTRIBUTES}>`,
    source: 'hume',
    confirmedBy: ['ifab'],
  }),
  secondary(14, 4, 'SetAttr Data', 'both', {
    structure: `<L ${OBJECTS} ${RESULT}>`,
    source: 'hume',
    confirmedBy: ['ifab'],
  }),
  primary(14, 5, 'GetType Request', 'both', 'required', {
    structure: '<OBJSPEC>',
    source: 'hume',
    confirmedBy: ['ifab'],
  }),
  secondary(14, 6, 'GetType Data', 'both', {
    structure: `<L <L <OBJTYPE>...> ${RESULT}>`,
    source: 'bee',
    confirmedBy: ['hume'],
  }),
  primary(14, 7, 'GetAttrName Request', 'both', 'required', {
    structure: '<L <OBJSPEC> <L <OBJTYPE>...>>',
    source: 'hume',
    confirmedBy: ['ifab'],
  }),
  secondary(14, 8, 'GetAttrName Data', 'both', {
    structure: `<L <L TYPES... <L <OBJTYPE> <L <ATTRID>...>>> ${RESULT}>`,
    source: 'bee',
    confirmedBy: ['hume'],
  }),
  primary(14, 9, 'Create Object Request', 'both', 'required', {
    structure: `<L <OBJSPEC> <OBJTYPE> ${ATTRIBUTES}>`,
    source: 'bee',
    confirmedBy: ['hume'],
  }),
  secondary(14, 10, 'Create Object Acknowledge', 'both', {
    structure: `<L <OBJSPEC> ${ATTRIBUTES} ${RESULT}>`,
    source: 'bee',
    confirmedBy: ['hume'],
  }),
  primary(14, 11, 'Delete Object Request', 'both', 'required', {
    structure: `<L <OBJSPEC> ${ATTRIBUTES}>`,
    source: 'bee',
    confirmedBy: ['hume'],
  }),
  secondary(14, 12, 'Delete Object Acknowledge', 'both', {
    structure: `<L ${ATTRIBUTES} ${RESULT}>`,
    source: 'bee',
    confirmedBy: ['hume'],
  }),
  primary(14, 13, 'Object Attach Request', 'both', 'required', {
    structure: `<L <OBJSPEC> ${ATTRIBUTES}>`,
    source: 'bee',
    confirmedBy: ['hume'],
  }),
  secondary(14, 14, 'Object Attach Acknowledge', 'both', {
    structure: `<L <OBJTOKEN> ${ATTRIBUTES} ${RESULT}>`,
    source: 'bee',
    confirmedBy: ['hume'],
  }),
  primary(14, 15, 'Attached Object Action Request', 'both', 'required', {
    structure: `<L <OBJSPEC> <OBJCMD> <OBJTOKEN> ${ATTRIBUTES}>`,
    source: 'bee',
    confirmedBy: ['hume'],
  }),
  secondary(14, 16, 'Attached Object Action Acknowledge', 'both', {
    structure: `<L ${ATTRIBUTES} ${RESULT}>`,
    source: 'bee',
    confirmedBy: ['hume'],
  }),
  primary(14, 17, 'Supervised Object Action Request', 'both', 'required', {
    structure: `<L <OBJSPEC> <OBJCMD> <TARGETSPEC> ${ATTRIBUTES}>`,
    source: 'bee',
    confirmedBy: ['hume'],
  }),
  secondary(14, 18, 'Supervised Object Action Acknowledge', 'both', {
    structure: `<L ${ATTRIBUTES} ${RESULT}>`,
    source: 'bee',
    confirmedBy: ['hume'],
  }),
  primary(14, 19, 'Generic Service Request', 'host', 'required', {
    structure: `<L <DATAID> <OPID> <OBJSPEC> <SVCNAME> ${PARAMS}>`,
    source: 'bee',
    confirmedBy: ['hume'],
  }),
  secondary(14, 20, 'Generic Service Acknowledge', 'equipment', {
    structure: `<L <SVCACK> <LINKID> ${PARAMS} ${RESULT}>`,
    source: 'bee',
  }),
  primary(14, 21, 'Generic Service Completion', 'both', 'required', {
    structure: `<L <DATAID> <OPID> <LINKID> ${PARAMS} <L <SVCACK> ${ERRORS}>>`,
    source: 'hume',
  }),
  secondary(14, 22, 'Generic Service Completion Acknowledge', 'both', {
    structure: '<DATAACK>',
    source: 'hume',
  }),
  primary(14, 23, 'Multi-block Generic Service Inquire', 'both', 'required', {
    structure: '<L <DATAID> <DATALENGTH>>',
    source: 'hume',
  }),
  secondary(14, 24, 'Multi-block Generic Service Grant', 'both', { structure: '<GRANT>', source: 'hume' }),
  primary(14, 25, 'Service Name Request', 'both', 'required', {
    structure: '<L <OBJSPEC> <L <OBJTYPE>...>>',
    source: 'hume',
  }),
  secondary(14, 26, 'Service Name Data', 'both', {
    structure: `<L <L TYPES... <L <OBJTYPE> <L <SVCNAME>...>>> ${RESULT}>`,
    source: 'hume',
  }),
  primary(14, 27, 'Service Parameter Name Request', 'both', 'required', {
    structure: '<L <OBJSPEC> <OBJTYPE> <L <SVCNAME>...>>',
    source: 'hume',
  }),
  secondary(14, 28, 'Service Parameter Name Data', 'both', {
    structure: `<L <L SERVICES... <L <SVCNAME> <L <SPNAME>...>>> ${RESULT}>`,
    source: 'hume',
  }),
] as const
