/**
 * The types of deepfs and those of `deepagents` are assignable to each other. `tsc` checks this file; nothing runs.
 */

import type { BaseStore } from "@langchain/langgraph-checkpoint";
import type * as peer from "deepagents";
import type { Runtime, ToolRuntime } from "langchain";
import type * as own from "../../npm/deepfs/src/protocol/types.js";

type Both<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;

/** Does not compile where the two types differ. */
function same<_Answer extends true>(): void {}

same<Both<own.FileInfo, peer.FileInfo>>();
same<Both<own.GrepMatch, peer.GrepMatch>>();
same<Both<own.GrepResult, peer.GrepResult>>();
same<Both<own.LsResult, peer.LsResult>>();
same<Both<own.GlobResult, peer.GlobResult>>();
same<Both<own.ReadResult, peer.ReadResult>>();
same<Both<own.ReadRawResult, peer.ReadRawResult>>();
same<Both<own.WriteResult, peer.WriteResult>>();
same<Both<own.EditResult, peer.EditResult>>();
same<Both<own.DeleteResult, peer.DeleteResult>>();
same<Both<own.ExecuteResponse, peer.ExecuteResponse>>();
same<Both<own.FileData, peer.FileData>>();
same<Both<own.FileOperationError, peer.FileOperationError>>();
same<Both<own.FileDownloadResponse, peer.FileDownloadResponse>>();
same<Both<own.FileUploadResponse, peer.FileUploadResponse>>();
same<Both<own.BackendProtocolV1, peer.BackendProtocolV1>>();
same<Both<own.BackendProtocolV2, peer.BackendProtocolV2>>();
same<Both<own.BackendProtocol, peer.BackendProtocol>>();
same<Both<own.AnyBackendProtocol, peer.AnyBackendProtocol>>();
same<Both<own.SandboxBackendProtocol, peer.SandboxBackendProtocol>>();
same<Both<own.SandboxBackendProtocolV1, peer.SandboxBackendProtocolV1>>();
same<Both<own.SandboxBackendProtocolV2, peer.SandboxBackendProtocolV2>>();
same<Both<own.SandboxDeleteOptions, peer.SandboxDeleteOptions>>();
same<Both<own.SandboxErrorCode, peer.SandboxErrorCode>>();
same<Both<own.SandboxGetOrCreateOptions, peer.SandboxGetOrCreateOptions>>();
same<Both<own.SandboxInfo, peer.SandboxInfo>>();
same<Both<own.SandboxInfo<{ a: 1 }>, peer.SandboxInfo<{ a: 1 }>>>();
same<Both<own.SandboxListOptions, peer.SandboxListOptions>>();
same<Both<own.SandboxListResponse, peer.SandboxListResponse>>();
same<Both<own.StateAndStore, peer.StateAndStore>>();
same<Both<own.BackendRuntime, peer.BackendRuntime>>();
same<Both<own.BackendRuntime<{ files: number }>, peer.BackendRuntime<{ files: number }>>>();
same<Both<own.BackendFactory, peer.BackendFactory>>();
same<Both<own.MaybePromise<1>, peer.MaybePromise<1>>>();
same<Both<own.FilesystemOperation, peer.FilesystemOperation>>();
same<Both<own.FilesystemPermission, peer.FilesystemPermission>>();
same<Both<own.PermissionMode, peer.PermissionMode>>();
same<Both<own.GraphStore, BaseStore>>();
same<Both<own.BackendRuntime, Runtime & { state: unknown }>>();
// A tool's runtime may be handed in; nothing has to come back out.
same<ToolRuntime extends own.ToolRun ? true : false>();
