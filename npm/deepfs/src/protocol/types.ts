/** Every type of the protocol, under the names that `deepagents` gives them. */

export type {
  AnyBackendProtocol,
  AnySandboxProtocol,
  BackendFactory,
  BackendOptions,
  BackendProtocol,
  BackendProtocolV1,
  BackendProtocolV2,
  MaybePromise,
  SandboxBackendProtocol,
  SandboxBackendProtocolV1,
  SandboxBackendProtocolV2,
} from "./backend.js";
export type { FileData, FileDataV1, FileDataV2 } from "./file-data.js";
export type { FilesystemOperation, FilesystemPermission, PermissionMode } from "./permission.js";
export type {
  Coded,
  DeleteResult,
  EditResult,
  ExecuteResponse,
  FileDownloadResponse,
  FileInfo,
  FileOperationError,
  FileUploadResponse,
  GlobResult,
  GrepMatch,
  GrepResult,
  LsResult,
  ReadRawResult,
  ReadResult,
  TransferDetail,
  WriteResult,
} from "./results.js";
export type {
  BackendRuntime,
  ExecutionInfo,
  GraphStore,
  ServerInfo,
  StateAndStore,
  StoreGetOperation,
  StoreItem,
  StoreListNamespacesOperation,
  StoreOperation,
  StorePutOperation,
  StoreSearchItem,
  StoreSearchOperation,
  ToolRun,
} from "./runtime.js";
export type {
  SandboxDeleteOptions,
  SandboxErrorCode,
  SandboxGetOrCreateOptions,
  SandboxInfo,
  SandboxListOptions,
  SandboxListResponse,
} from "./sandbox.js";
