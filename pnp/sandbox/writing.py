"""How a template is compiled: what it prints is counted and escaped in one call."""

from __future__ import annotations

from jinja2 import nodes
from jinja2.compiler import CodeGenerator, Frame

from pnp.sandbox.values import printable


class Writing(CodeGenerator):
    """Compiles for an environment that has ``written``: a face prints a hundred things, nearly all of them short."""

    def _output_child_to_const(self, node: nodes.Expr, frame: Frame, finalize: CodeGenerator._FinalizeInfo) -> str:
        """What is known beforehand is escaped there, which makes a text of anything: what is none waits to be told."""
        if not isinstance(node, nodes.TemplateData):
            known = node.as_const(frame.eval_ctx)
            if printable(known) is not known:
                raise nodes.Impossible
        return super()._output_child_to_const(node, frame, finalize)

    def _output_child_pre(self, node: nodes.Expr, frame: Frame, finalize: CodeGenerator._FinalizeInfo) -> None:
        if frame.eval_ctx.autoescape and not frame.eval_ctx.volatile:
            self.write("environment.written(")
        else:
            super()._output_child_pre(node, frame, finalize)

    def _output_child_post(self, node: nodes.Expr, frame: Frame, finalize: CodeGenerator._FinalizeInfo) -> None:
        if frame.eval_ctx.autoescape and not frame.eval_ctx.volatile:
            self.write(")")
        else:
            super()._output_child_post(node, frame, finalize)
