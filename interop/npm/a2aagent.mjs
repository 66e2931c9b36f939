// An agent of A2A on @a2a-js/sdk 1.3.0, over JSON-RPC and REST. What it does is the first word that it is told:
//
//   form  asks with a form, by the extension whose URI is the first argument
//   text  asks in words
//   auth  sends the person somewhere, and goes on when it is told that they were there
//   oob   sends the person somewhere, and goes on by itself once /connected was posted to
//   slow  says nothing before /connected was posted to, then asks with a form
//
// It prints where it listens, ends with its standard input, and /book says what it was told.

import { createServer } from 'node:http';

import { TaskState, Role } from 'a2a-1';
import { AgentEvent, DefaultRequestHandler, InMemoryTaskStore } from 'a2a-1/server';
import { agentCardHandler, jsonRpcHandler, restHandler, UserBuilder } from 'a2a-1/server/express';
import express from 'express';

const [uri, binding] = process.argv.slice(2);
const book = { tasks: [], told: [], cancelled: 0 };
let connect;
const connected = new Promise((resolve) => (connect = resolve));
let number = 0;

const text = (value) => ({ content: { $case: 'text', value }, mediaType: 'text/plain', metadata: {}, filename: '' });
const data = (value) => ({ content: { $case: 'data', value }, mediaType: 'application/json', metadata: {}, filename: '' });

const form = {
  elicitationId: 'there', mode: 'form', message: 'Where to?',
  requestedSchema: { type: 'object', properties: { city: { type: 'string', title: 'City' } }, required: ['city'] },
};

class Agent {
  async execute(context, bus) {
    const { taskId, contextId, userMessage, task } = context;
    const says = userMessage.parts.map((p) => (p.content.$case === 'data' ? JSON.stringify(p.content.value) : p.content.value)).join(' ');
    book.told.push({ task: userMessage.taskId, says });
    const status = (state, parts, extensions = []) => bus.publish(AgentEvent.statusUpdate({
      taskId, contextId, metadata: {},
      status: {
        state, timestamp: new Date().toISOString(),
        message: parts && { messageId: `js-${++number}`, role: Role.ROLE_AGENT, parts, taskId, contextId, extensions, metadata: {}, referenceTaskIds: [] },
      },
    }));
    const finish = (result) => {
      bus.publish(AgentEvent.artifactUpdate({
        taskId, contextId, append: false, lastChunk: true, metadata: {},
        artifact: { artifactId: 'result', name: 'result', description: '', parts: [text(result)], extensions: [], metadata: {} },
      }));
      status(TaskState.TASK_STATE_COMPLETED);
      bus.finished();
    };
    if (task) {
      bus.publish(AgentEvent.task({ ...task, status: { state: TaskState.TASK_STATE_WORKING, timestamp: new Date().toISOString(), message: undefined } }));
      finish(`told ${says}`);
      return;
    }
    book.tasks.push(taskId);
    if (says.startsWith('slow')) await connected;
    bus.publish(AgentEvent.task({
      id: taskId, contextId, history: [userMessage], artifacts: [], metadata: {},
      status: { state: TaskState.TASK_STATE_SUBMITTED, timestamp: new Date().toISOString(), message: undefined },
    }));
    switch (says.split(' ')[0]) {
      case 'slow':
      case 'form':
        status(TaskState.TASK_STATE_INPUT_REQUIRED, [text('Where to?'), data(form)], [uri]);
        break;
      case 'text':
        status(TaskState.TASK_STATE_INPUT_REQUIRED, [text('Which city?')]);
        break;
      case 'auth':
        status(TaskState.TASK_STATE_AUTH_REQUIRED, [text('Sign in at https://travel.example/sign-in first.')]);
        break;
      case 'oob':
        status(TaskState.TASK_STATE_AUTH_REQUIRED, [text('Sign in at https://travel.example/sign-in first.')]);
        await connected;
        finish('signed in');
        return;
      default:
        finish('nothing to do');
        return;
    }
    bus.finished();
  }

  async cancelTask(taskId, bus) {
    book.cancelled++;
    bus.publish(AgentEvent.statusUpdate({
      taskId, contextId: '', metadata: {}, status: { state: TaskState.TASK_STATE_CANCELED, timestamp: new Date().toISOString(), message: undefined },
    }));
    bus.finished();
  }
}

const app = express();
const server = createServer(app);
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const base = `http://127.0.0.1:${server.address().port}`;
const card = {
  name: 'Travel', description: 'Books trips', version: '1', defaultInputModes: ['text/plain'], defaultOutputModes: ['text/plain'],
  capabilities: { streaming: true, pushNotifications: false, extendedAgentCard: false, extensions: [{ uri, description: '', required: false, params: undefined }] },
  supportedInterfaces: [{ url: binding === 'JSONRPC' ? `${base}/rpc` : `${base}/rest`, protocolBinding: binding, protocolVersion: '1.0', tenant: '' }],
  skills: [], securitySchemes: {}, securityRequirements: [], signatures: [], provider: undefined, documentationUrl: '', iconUrl: '',
};
const requestHandler = new DefaultRequestHandler(card, new InMemoryTaskStore(), new Agent());
const userBuilder = UserBuilder.noAuthentication;
app.use('/.well-known/agent-card.json', agentCardHandler({ agentCardProvider: requestHandler }));
app.use('/rpc', jsonRpcHandler({ requestHandler, userBuilder }));
app.use('/rest', restHandler({ requestHandler, userBuilder }));
app.get('/book', (_, response) => response.json(book));
app.post('/connected', (_, response) => {
  connect();
  response.json({});
});
console.log(`listening on ${base}`);
process.stdin.resume();
process.stdin.on('end', () => process.exit(0));
