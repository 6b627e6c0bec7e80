/** Words of the operator's page. */
import { defineWords, message } from '../../paper/catalog.ts'

export const operatorWords = defineWords('operator', {
  title: 'For the operator',
  purpose:
    'Refused requests are told to strangers in few words. The operator’s browser also shows the value received, the value expected, and a command as the remedy.',
  how: message('Run {command} beside the service, and enter the printed code.', {
    command: 'markup',
  }),
  refused: 'This code does not count: it is wrong, older than ten minutes, or was used before.',
  code: 'Code',
  begin: 'Show me more',
  until: message('This browser is shown more until {when}.', { when: 'markup' }),
  end: 'Show me no more',
  reference: message('The reference on a refused page is the {field} of that request in the log.', {
    field: 'markup',
  }),
})
