/** Words of the pages of the console about the service: resources, providers, keys and settings. */
import { allowMarkup, defineWords } from '../../../paper/catalog.ts'

export const consoleServiceWords = defineWords('console-service', {
  settings: {
    heading: 'Settings',
    about:
      'The values that this node runs with. Change them in the configuration file or the environment, and start it again.',
    limits: 'Limits',
    set: 'Set',
    notSet: 'Not set',
    none: 'None',
    from: {
      flag: 'Command line',
      environment: 'Environment',
      file: 'Configuration file',
      default: 'Default',
    },
  },
  keys: {
    heading: 'Keys',
    sealing: 'Tokens and codes of this service',
    signing: 'Signatures',
    current: 'In use',
    next: allowMarkup('From {when}'),
    old: 'Only checks',
    published: 'Signing keys are published at /jwks.',
    rotate: 'New keys',
    rotateSealing: 'New key for tokens',
    rotateSealingEffect: 'Within ten seconds every node uses it. Older tokens stay valid.',
    rotateSigning: 'New signing keys',
    rotateSigningEffect:
      'Within ten seconds every node signs with them. Older signatures stay valid.',
    end: 'New key for tokens, and end all tokens',
    endEffect:
      'Every token, code and open login page ends within ten seconds. Users need not allow anything again.',
    withdraw: 'Withdraw',
    withdrawEffect:
      'Its signatures count no more, as after a theft. Where it signs now, a new key takes its place.',
    now: 'Do it now',
    done: {
      rotated: 'There are new keys.',
      ended: 'There is a new key. All older tokens have ended.',
      withdrawn: 'The key is withdrawn. Within ten seconds no node signs with it.',
    },
  },
  upstreams: {
    heading: 'Log-in providers',
    none: 'None is set up. The setting "upstreams" adds one.',
    check: 'Check',
    works: allowMarkup('{title} answers as it should.'),
    nothing: allowMarkup('{title} has no metadata to ask for. A log-in shows whether it works.'),
    fails: allowMarkup('{title} does not work now: {fault}'),
    trustEmail: 'Its email addresses count as verified.',
    signUp: 'Its users may make an account here.',
    faults: {
      unreachable: 'no answer in time',
      wrong: 'a wrong answer',
      refused: 'it refused',
      stale: 'an old log-in',
    },
  },
  resources: {
    heading: 'Resources',
    create: 'New resource',
    address: 'Address',
    builtIn: 'Part of this service',
    permissions: 'Permissions',
    details: 'Details',
    format: 'Access tokens',
    clients: 'May inspect tokens',
    destructive: 'Marked as dangerous',
    edit: 'Change',
    changeHeading: allowMarkup('Change {name}'),
    perLanguage: 'Text, or JSON with a text per language.',
    save: 'Save',
    createNow: 'Create the resource',
    delete: 'Delete',
    deleteEffect: 'Its permissions end everywhere. No other resource can have its name later.',
    deleteNow: 'Delete the resource',
    done: {
      created: 'The resource is created.',
      changed: 'The resource is changed.',
      deleted: 'The resource is deleted.',
      gone: 'There is no such resource any more.',
    },
  },
})
